// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cage/line.h"

#include <cerrno>
#include <utility>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace warpglass::cage {

Line::Line(Progress& progress, std::function<double()> far) : m_progress(progress), m_far(std::move(far)) {
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, m_ends) != 0)
        m_ends[0] = m_ends[1] = -1;
    constexpr int room = 1 << 20; // a wish: the more of it, the less often the two wait for each other
    for (const int end : m_ends)
        setsockopt(end, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
}

Line::~Line() {
    for (const int end : m_ends)
        if (end >= 0)
            close(end);
}

void Line::giveOtherEnd() {
    close(std::exchange(m_ends[1], -1));
}

void Line::wait(short what) {
    pollfd end{m_ends[0], what, 0};
    poll(&end, 1, 20);
    m_progress.report(m_far());
}

bool Line::send(std::span<const std::byte> bytes) {
    while (!bytes.empty() && !m_progress.cancelled()) {
        const ssize_t n = ::send(m_ends[0], bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n >= 0)
            bytes = bytes.subspan(std::size_t(n));
        else if (errno == EAGAIN)
            wait(POLLOUT);
        else if (errno != EINTR)
            return false;
    }
    return bytes.empty();
}

std::size_t Line::take(std::span<std::byte> bytes) {
    while (!m_progress.cancelled()) {
        const ssize_t n = recv(m_ends[0], bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (n > 0)
            return std::size_t(n);
        if (n < 0 && errno == EAGAIN) {
            wait(POLLIN);
        } else if (n == 0 || errno != EINTR) {
            m_over = true;
            return 0;
        }
    }
    return 0;
}

void Line::endSending() {
    shutdown(m_ends[0], SHUT_WR);
}

} // namespace warpglass::cage
