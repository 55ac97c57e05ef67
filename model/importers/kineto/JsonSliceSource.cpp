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
    explicit JsonSliceSource(std::shared_ptr<const SourceText> text) : m_text(std::move(text)) {}

    std::optional<std::vector<SourceField>> fieldsOf(SourceRef ref) const override
    {
        const auto event = m_text->read(ref.offset(), ref.length());
        if (!event) return std::nullopt;
        std::vector<SourceField> fields;
        std::vector<SourceField> arguments;
        for (const json::Field& field : json::fieldsOf(*event)) {
            if (field.key != "args" || !field.value.starts_with('{')) {
                fields.push_back({field.key, shownValue(field.value), false});
                continue;
            }
            for (const json::Field& argument : json::fieldsOf(field.value))
                arguments.push_back({argument.key, shownValue(argument.value), true});
        }
        fields.insert(fields.end(), std::make_move_iterator(arguments.begin()),
                      std::make_move_iterator(arguments.end()));
        return fields;
    }

    std::size_t memoryBytes() const override { return m_text->memoryBytes(); }

private:
    std::shared_ptr<const SourceText> m_text;
};

} // namespace

std::shared_ptr<const SliceSource> jsonSliceSource(std::shared_ptr<const SourceText> text)
{
    return std::make_shared<JsonSliceSource>(std::move(text));
}

} // namespace stepscope::kineto
