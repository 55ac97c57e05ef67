// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/kineto/JsonSliceSource.h"

#include "io/JsonText.h"

namespace stepscope::kineto
{

namespace
{

std::string shownValue(std::string_view value)
{
    const bool text = value.size() >= 2 && value.front() == '"' && value.back() == '"';
    return text ? json::unescaped(value.substr(1, value.size() - 2)) : std::string(value);
}

class JsonSliceSource final : public SliceSource
{
public:
    JsonSliceSource(std::shared_ptr<const SourceText> text, StackFrames frames)
        : m_text(std::move(text)), m_frames(std::move(frames))
    {
    }

    std::optional<std::vector<SourceField>> fieldsOf(SourceRef ref) const override
    {
        const auto event = m_text->read(ref.offset(), ref.length());
        if (!event) return std::nullopt;
        std::vector<SourceField> fields;
        std::vector<SourceField> arguments;
        for (const json::Field& field : json::fieldsOf(*event)) {
            if (field.key != "args" || !field.value.starts_with('{')) {
                fields.push_back({field.key, shownValue(field.value), false});
                if (field.key == "sf") addStack("stack", fields.back().value, arguments);
                if (field.key == "esf") addStack("stack at the end", fields.back().value, arguments);
                continue;
            }
            for (const json::Field& argument : json::fieldsOf(field.value))
                arguments.push_back({argument.key, shownValue(argument.value), true});
        }
        fields.insert(fields.end(), std::make_move_iterator(arguments.begin()),
                      std::make_move_iterator(arguments.end()));
        return fields;
    }

    std::size_t memoryBytes() const override { return m_text->memoryBytes() + m_frames.memoryBytes(); }

private:
    void addStack(const char* key, std::string_view frame, std::vector<SourceField>& arguments) const
    {
        std::string stack;
        for (const std::string_view name : m_frames.chain(frame)) stack.append(stack.empty() ? "" : " < ").append(name);
        if (!stack.empty()) arguments.push_back({key, std::move(stack), true});
    }

    std::shared_ptr<const SourceText> m_text;
    StackFrames m_frames;
};

} // namespace

std::shared_ptr<const SliceSource> jsonSliceSource(std::shared_ptr<const SourceText> text, StackFrames frames)
{
    return std::make_shared<JsonSliceSource>(std::move(text), std::move(frames));
}

} // namespace stepscope::kineto
