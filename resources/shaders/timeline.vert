#version 330 core
// SPDX-License-Identifier: GPL-3.0-or-later
// One quad an instance; the shape says what the fragment shader leaves of it. Lengths in px, y downwards.
layout(location = 0) in vec4 a;
layout(location = 1) in vec4 b;
layout(location = 2) in vec4 colour;
layout(location = 3) in float shape;

uniform vec2 viewport;

flat out vec4 first;
flat out vec4 second;
flat out vec4 tint;
flat out int kind;
out vec2 place;

void main()
{
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    kind = int(shape + 0.5);
    vec2 low = a.xy;
    vec2 high = a.xy + a.zw;
    if (kind == 1) {
        low -= vec2(1.0);
        high += vec2(1.0);
    } else if (kind == 2) {
        vec2 reach = vec2(b.x * 0.5 + 1.0);
        low = min(a.xy, a.zw) - reach;
        high = max(a.xy, a.zw) + reach;
    } else if (kind == 3) {
        low = min(min(a.xy, a.zw), b.xy) - vec2(1.0);
        high = max(max(a.xy, a.zw), b.xy) + vec2(1.0);
    }
    first = a;
    second = b;
    tint = colour;
    place = mix(low, high, corner);
    gl_Position = vec4(place.x / viewport.x * 2.0 - 1.0, 1.0 - place.y / viewport.y * 2.0, 0.0, 1.0);
}
