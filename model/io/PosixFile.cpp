// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/PosixFile.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace stepscope
{

namespace
{

std::int64_t changeTimeNs(const struct stat& info)
{
#ifdef __APPLE__
    const timespec time = info.st_mtimespec;
#else
    const timespec time = info.st_mtim;
#endif
    return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

Error openError(const std::string& path, int code)
{
    if (code == ENOENT || code == ENOTDIR)
        return {ErrorCode::NoSuchFile, path, "there is no such file or folder", "Check the path."};
    if (code == EACCES || code == EPERM)
        return {ErrorCode::Unreadable, path, "you are not allowed to read it", "Change its permissions or copy it."};
    return {ErrorCode::Unreadable, path, std::string("it cannot be read (") + std::strerror(code) + ")",
            "Copy it to a local disk and try again."};
}

} // namespace

Result<PosixFile> PosixFile::open(const std::string& path)
{
    PosixFile file;
    // Not blocking, so that a named pipe is refused below instead of waiting for a writer for ever.
    file.m_descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file.m_descriptor < 0) return openError(path, errno);
    struct stat info {
    };
    if (::fstat(file.m_descriptor, &info) != 0) return openError(path, errno);
    if (!S_ISREG(info.st_mode))
        return Error{ErrorCode::Unreadable, path, "it is no regular file",
                     "Choose a profile file or a folder of them."};
    file.m_sizeBytes = static_cast<std::uint64_t>(info.st_size);
    file.m_changedNs = changeTimeNs(info);
    return file;
}

PosixFile::PosixFile(PosixFile&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1)), m_sizeBytes(other.m_sizeBytes),
      m_changedNs(other.m_changedNs)
{
}

PosixFile& PosixFile::operator=(PosixFile&& other) noexcept
{
    std::swap(m_descriptor, other.m_descriptor);
    std::swap(m_sizeBytes, other.m_sizeBytes);
    std::swap(m_changedNs, other.m_changedNs);
    return *this;
}

PosixFile::~PosixFile()
{
    if (m_descriptor >= 0) ::close(m_descriptor);
}

std::size_t PosixFile::readAt(std::uint64_t offset, std::span<char> buffer) const
{
    std::size_t done = 0;
    while (done < buffer.size()) {
        const auto got =
            ::pread(m_descriptor, buffer.data() + done, buffer.size() - done, static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        done += static_cast<std::size_t>(got);
    }
    return done;
}

bool PosixFile::unchanged() const
{
    struct stat info {
    };
    return ::fstat(m_descriptor, &info) == 0 && static_cast<std::uint64_t>(info.st_size) == m_sizeBytes &&
           changeTimeNs(info) == m_changedNs;
}

} // namespace stepscope
