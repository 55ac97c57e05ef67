// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/ByteStream.h"

#include "io/Archive.h"
#include "io/PosixFile.h"

#include <algorithm>
#include <array>
#include <isa-l/igzip_lib.h>
#include <vector>
#include <zstd.h>

namespace stepscope
{

namespace
{

constexpr std::size_t kInputBytes = 256 * 1024;

/// Bytes as they lie on the disk, or in an archive, from beginning to end.
class RawBytes
{
public:
    virtual ~RawBytes() = default;
    virtual std::size_t read(std::span<char> buffer) = 0;
    [[nodiscard]] virtual std::uint64_t sizeBytes() const = 0;
    [[nodiscard]] virtual std::uint64_t bytesRead() const = 0;
    [[nodiscard]] virtual std::string_view damage() const { return {}; }
    [[nodiscard]] virtual Compression compression() const { return Compression::None; }
};

class FileBytes final : public RawBytes
{
public:
    explicit FileBytes(PosixFile file) : m_file(std::move(file)) {}
    std::size_t read(std::span<char> buffer) override
    {
        const std::size_t got = m_file.readAt(m_offset, buffer);
        m_offset += got;
        return got;
    }
    [[nodiscard]] std::uint64_t sizeBytes() const override { return m_file.sizeBytes(); }
    [[nodiscard]] std::uint64_t bytesRead() const override { return m_offset; }

private:
    PosixFile m_file;
    std::uint64_t m_offset = 0;
};

class EntryBytes final : public RawBytes
{
public:
    explicit EntryBytes(std::unique_ptr<ArchiveEntry> entry) : m_entry(std::move(entry)) {}
    std::size_t read(std::span<char> buffer) override
    {
        const std::size_t got = m_entry->read(buffer);
        m_read += got;
        return got;
    }
    [[nodiscard]] std::uint64_t sizeBytes() const override { return std::max(m_read, m_entry->sizeBytes()); }
    [[nodiscard]] std::uint64_t bytesRead() const override { return m_read; }
    [[nodiscard]] std::string_view damage() const override { return m_entry->damage(); }
    [[nodiscard]] Compression compression() const override { return Compression::Archive; }

private:
    std::unique_ptr<ArchiveEntry> m_entry;
    std::uint64_t m_read = 0;
};

/// The first bytes of a source, which told what it is, come first again.
class Rewound final : public RawBytes
{
public:
    Rewound(std::unique_ptr<RawBytes> rest, std::string_view head) : m_rest(std::move(rest)), m_head(head) {}
    std::size_t read(std::span<char> buffer) override
    {
        const std::size_t again = std::min(buffer.size(), m_head.size() - m_at);
        std::copy_n(m_head.data() + m_at, again, buffer.data());
        m_at += again;
        return again + (again < buffer.size() ? m_rest->read(buffer.subspan(again)) : 0);
    }
    [[nodiscard]] std::uint64_t sizeBytes() const override { return m_rest->sizeBytes(); }
    [[nodiscard]] std::uint64_t bytesRead() const override { return m_rest->bytesRead(); }
    [[nodiscard]] std::string_view damage() const override { return m_rest->damage(); }
    [[nodiscard]] Compression compression() const override { return m_rest->compression(); }

private:
    std::unique_ptr<RawBytes> m_rest;
    std::string m_head;
    std::size_t m_at = 0;
};

class PlainStream final : public ByteStream
{
public:
    explicit PlainStream(std::unique_ptr<RawBytes> bytes) : m_bytes(std::move(bytes)) {}

    std::size_t read(std::span<char> buffer) override { return m_bytes->read(buffer); }
    [[nodiscard]] Compression compression() const override { return m_bytes->compression(); }
    [[nodiscard]] std::uint64_t fileBytes() const override { return m_bytes->sizeBytes(); }
    [[nodiscard]] std::uint64_t fileBytesRead() const override { return m_bytes->bytesRead(); }
    [[nodiscard]] std::string_view damage() const override { return m_bytes->damage(); }

private:
    std::unique_ptr<RawBytes> m_bytes;
};

/// What both decompressors share: a window of compressed bytes that is refilled from the file.
class InflatingStream : public ByteStream
{
public:
    explicit InflatingStream(std::unique_ptr<RawBytes> bytes) : m_bytes(std::move(bytes)), m_input(kInputBytes) {}
    [[nodiscard]] std::uint64_t fileBytes() const override { return m_bytes->sizeBytes(); }
    [[nodiscard]] std::uint64_t fileBytesRead() const override { return m_bytes->bytesRead(); }
    [[nodiscard]] std::string_view damage() const override { return m_damage; }

protected:
    [[nodiscard]] std::span<char> refill() { return {m_input.data(), m_bytes->read(m_input)}; }
    void stop(std::string_view damage = {})
    {
        m_damage = damage;
        m_ended = true;
    }

    bool m_ended = false;

private:
    std::unique_ptr<RawBytes> m_bytes;
    std::vector<char> m_input;
    std::string_view m_damage;
};

class GzipStream final : public InflatingStream
{
public:
    explicit GzipStream(std::unique_ptr<RawBytes> bytes)
        : InflatingStream(std::move(bytes)), m_state(std::make_unique<inflate_state>())
    {
        startMember();
        m_state->avail_in = 0;
    }
    [[nodiscard]] Compression compression() const override { return Compression::Gzip; }

    std::size_t read(std::span<char> buffer) override
    {
        std::size_t done = 0;
        while (done < buffer.size() && !m_ended) {
            if (m_state->avail_in == 0 && !feed()) break;
            done += inflateInto(buffer.subspan(done));
        }
        return done;
    }

private:
    void startMember()
    {
        const auto* next = m_state->next_in;
        const auto available = m_state->avail_in;
        isal_inflate_init(m_state.get());
        m_state->crc_flag = ISAL_GZIP;
        m_state->next_in = const_cast<std::uint8_t*>(next);
        m_state->avail_in = available;
        m_inMember = true;
    }

    bool feed()
    {
        const auto fresh = refill();
        if (fresh.empty()) {
            stop(m_inMember && m_sawInput ? "the gzip data ends too early" : "");
            return false;
        }
        m_state->next_in = reinterpret_cast<std::uint8_t*>(fresh.data());
        m_state->avail_in = static_cast<std::uint32_t>(fresh.size());
        return true;
    }

    std::size_t inflateInto(std::span<char> room)
    {
        if (!m_inMember) {
            // Bytes after a member: another member (files are concatenated in the wild), or padding to be ignored.
            if (*m_state->next_in != 0x1f) {
                stop();
                return 0;
            }
            startMember();
            m_sawInput = false;
        }
        const auto roomBytes = static_cast<std::uint32_t>(std::min<std::size_t>(room.size(), 1u << 30));
        m_state->next_out = reinterpret_cast<std::uint8_t*>(room.data());
        m_state->avail_out = roomBytes;
        m_sawInput = true;
        const int status = isal_inflate(m_state.get());
        const std::size_t got = roomBytes - m_state->avail_out;
        if (status != ISAL_DECOMP_OK) stop("the gzip data is damaged");
        else if (m_state->block_state == ISAL_BLOCK_FINISH) m_inMember = false;
        return got;
    }

    std::unique_ptr<inflate_state> m_state;
    bool m_inMember = true;
    bool m_sawInput = false;
};

class ZstdStream final : public InflatingStream
{
public:
    explicit ZstdStream(std::unique_ptr<RawBytes> bytes)
        : InflatingStream(std::move(bytes)), m_context(ZSTD_createDCtx(), &ZSTD_freeDCtx)
    {
        // A frame may ask for a huge window; what zstd itself writes without --long fits in 128 MB.
        ZSTD_DCtx_setParameter(m_context.get(), ZSTD_d_windowLogMax, 27);
    }
    [[nodiscard]] Compression compression() const override { return Compression::Zstd; }

    std::size_t read(std::span<char> buffer) override
    {
        ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
        while (out.pos < out.size && !m_ended) {
            if (m_in.pos == m_in.size && !feed()) break;
            const std::size_t hint = ZSTD_decompressStream(m_context.get(), &out, &m_in);
            if (ZSTD_isError(hint) != 0) stop("the zstd data is damaged");
            m_inFrame = hint != 0;
        }
        return out.pos;
    }

private:
    bool feed()
    {
        const auto fresh = refill();
        if (fresh.empty()) {
            stop(m_inFrame ? "the zstd data ends too early" : "");
            return false;
        }
        m_in = {fresh.data(), fresh.size(), 0};
        return true;
    }

    std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> m_context;
    ZSTD_inBuffer m_in{nullptr, 0, 0};
    bool m_inFrame = true;
};

} // namespace

Result<std::unique_ptr<ByteStream>> ByteStream::open(const std::string& path)
{
    std::unique_ptr<RawBytes> bytes;
    if (auto opened = PosixFile::open(path); opened.ok()) {
        bytes = std::make_unique<FileBytes>(opened.take());
    } else {
        auto entry = ArchiveEntry::open(path);
        if (!entry) return opened.error();
        bytes = std::make_unique<EntryBytes>(std::move(entry));
    }
    std::array<char, 4> head{};
    const std::size_t got = bytes->read(head);
    if (got == 0)
        return Error{ErrorCode::EmptyFile, path, "the file is empty",
                     "The job may have been killed before it wrote its profile; record or download it again."};
    const std::string_view magic(head.data(), got);
    bytes = std::make_unique<Rewound>(std::move(bytes), magic);
    std::unique_ptr<ByteStream> stream;
    if (magic.starts_with("\x1f\x8b")) stream = std::make_unique<GzipStream>(std::move(bytes));
    else if (magic == "\x28\xb5\x2f\xfd") stream = std::make_unique<ZstdStream>(std::move(bytes));
    else stream = std::make_unique<PlainStream>(std::move(bytes));
    return stream;
}

} // namespace stepscope
