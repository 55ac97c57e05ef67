#version 330 core
// SPDX-License-Identifier: GPL-3.0-or-later
flat in vec4 first;
flat in vec4 second;
flat in vec4 tint;
flat in int kind;
in vec2 place;

uniform float pixelRatio;
uniform sampler2D atlas;

out vec4 fragment;

float toBox(vec2 at, vec2 low, vec2 size, float radius)
{
    vec2 q = abs(at - low - size * 0.5) - size * 0.5 + radius;
    return length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - radius;
}

float toSegment(vec2 at, vec2 from, vec2 to)
{
    vec2 along = to - from;
    float share = clamp(dot(at - from, along) / max(dot(along, along), 1e-6), 0.0, 1.0);
    return distance(at, from + along * share);
}

float beyondEdge(vec2 at, vec2 from, vec2 to, float turn)
{
    vec2 along = normalize(to - from);
    return turn * dot(at - from, vec2(along.y, -along.x));
}

float toTriangle(vec2 at, vec2 p, vec2 q, vec2 r)
{
    float turn = (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x) < 0.0 ? -1.0 : 1.0;
    return max(beyondEdge(at, p, q, turn), max(beyondEdge(at, q, r, turn), beyondEdge(at, r, p, turn)));
}

void main()
{
    float coverage = 1.0;
    if (kind == 1) {
        coverage = clamp(0.5 - toBox(place, first.xy, first.zw, second.x) * pixelRatio, 0.0, 1.0);
    } else if (kind == 2) {
        coverage = clamp(0.5 - (toSegment(place, first.xy, first.zw) - second.x * 0.5) * pixelRatio, 0.0, 1.0);
    } else if (kind == 3) {
        coverage = clamp(0.5 - toTriangle(place, first.xy, first.zw, second.xy) * pixelRatio, 0.0, 1.0);
    } else if (kind == 4) {
        coverage = texelFetch(atlas, ivec2(second.xy + (place - first.xy) * pixelRatio), 0).r;
    }
    fragment = vec4(tint.rgb, tint.a * coverage);
}
