// SPDX-License-Identifier: GPL-3.0-or-later
#include "generator/Sink.h"

#include <cstdio>
#include <utility>
#include <zlib.h>

namespace stepscope
{
namespace
{

class FileSink final : public Sink
{
public:
    explicit FileSink(std::FILE* file) : m_file(file) {}
    FileSink(const FileSink&) = delete;
    FileSink& operator=(const FileSink&) = delete;
    ~FileSink() override { close(); }

    bool write(std::string_view bytes) override
    {
        return std::fwrite(bytes.data(), 1, bytes.size(), m_file) == bytes.size();
    }
    bool close() override
    {
        std::FILE* file = std::exchange(m_file, nullptr);
        return file == nullptr || std::fclose(file) == 0;
    }

private:
    std::FILE* m_file;
};

class GzipSink final : public Sink
{
public:
    explicit GzipSink(gzFile file) : m_file(file) {}
    GzipSink(const GzipSink&) = delete;
    GzipSink& operator=(const GzipSink&) = delete;
    ~GzipSink() override { close(); }

    bool write(std::string_view bytes) override
    {
        if (bytes.empty()) return true; // gzwrite answers 0 for it, as for an error
        return gzwrite(m_file, bytes.data(), static_cast<unsigned>(bytes.size())) == static_cast<int>(bytes.size());
    }
    bool close() override
    {
        gzFile file = std::exchange(m_file, nullptr);
        return file == nullptr || gzclose(file) == Z_OK;
    }

private:
    gzFile m_file;
};

class StringSink final : public Sink
{
public:
    explicit StringSink(std::string& text) : m_text(text) {}
    bool write(std::string_view bytes) override
    {
        m_text.append(bytes);
        return true;
    }
    bool close() override { return true; }

private:
    std::string& m_text;
};

} // namespace

std::unique_ptr<Sink> openFileSink(const std::filesystem::path& file, bool gzip)
{
    if (gzip) {
        gzFile opened = gzopen(file.c_str(), "wb6");
        return opened == nullptr ? nullptr : std::make_unique<GzipSink>(opened);
    }
    std::FILE* opened = std::fopen(file.c_str(), "wb");
    return opened == nullptr ? nullptr : std::make_unique<FileSink>(opened);
}

std::unique_ptr<Sink> makeStringSink(std::string& text) { return std::make_unique<StringSink>(text); }

} // namespace stepscope
