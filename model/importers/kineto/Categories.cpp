// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/kineto/EventParser.h"

#include <cctype>

namespace stepscope::kineto
{

CategoryEntry classifyCategory(std::string_view text)
{
    std::string folded(text);
    for (char& c : folded) c = c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const auto made = [&](SliceKind kind, Place place) { return CategoryEntry{text, kind, place, true}; };
    if (folded == "cpu_op" || folded == "operator") return made(SliceKind::CpuOp, Place::Thread);
    if (folded == "user_annotation" || folded == "user") return made(SliceKind::Annotation, Place::Thread);
    if (folded == "gpu_user_annotation") return made(SliceKind::DeviceAnnotation, Place::StreamAnnotations);
    if (folded == "kernel") return made(SliceKind::Kernel, Place::Stream);
    if (folded == "gpu_memcpy" || folded == "memcpy") return made(SliceKind::Memcpy, Place::Stream);
    if (folded == "gpu_memset" || folded == "memset") return made(SliceKind::Memset, Place::Stream);
    if (folded == "python_function") return made(SliceKind::Python, Place::Thread);
    if (folded == "overhead") return made(SliceKind::Overhead, Place::Thread);
    if (folded == "cuda_sync" || folded == "xpu_sync") return made(SliceKind::DeviceSync, Place::StreamSync);
    if (folded == "cuda_event") return made(SliceKind::Other, Place::StreamSync);
    if (folded == "mtia_ccp_events" || folded == "mtia_insight" || folded == "cuda_profiler_range")
        return made(SliceKind::DeviceOther, Place::Stream);
    if (folded.find("runtime") != std::string::npos || folded.find("driver") != std::string::npos)
        return made(SliceKind::Runtime, Place::Thread);
    return {text, SliceKind::Other, Place::Thread, false};
}

} // namespace stepscope::kineto
