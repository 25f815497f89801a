// SPDX-License-Identifier: GPL-2.0-or-later
// Writes user_events from C++, and enables and defines events by streams.
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <string>
#include <sys/ioctl.h>
#include <unistd.h>

struct reg {
	std::uint32_t size;
	std::uint8_t enable_bit, enable_size;
	std::uint16_t flags;
	std::uint64_t enable_addr, name_args;
	std::uint32_t write_index;
} __attribute__((packed));

static std::uint32_t word;

static bool enable(const char *digit)
{
	std::ofstream f("/sys/kernel/tracing/events/user_events/stream/enable");

	f << digit << std::flush;
	return bool(f);
}

int main()
{
	const int fd = open("/sys/kernel/tracing/user_events_data", O_RDWR);
	struct reg reg = {sizeof(reg), 0, 4, 0, 0, 0, 0};
	std::uint32_t event[2] = {0, 1};
	std::string line, last;

	reg.enable_addr = reinterpret_cast<std::uintptr_t>(&word);
	reg.name_args = reinterpret_cast<std::uintptr_t>("stream u32 count");
	if (fd < 0 || ioctl(fd, _IOWR('*', 0, struct reg *), &reg) || word != 1)
		return 1;
	event[0] = reg.write_index;
	if (write(fd, event, sizeof(event)) != sizeof(event))
		return 2;
	if (!enable("0") || word || write(fd, event, sizeof(event)) != -1 || errno != EBADF)
		return 3;
	if (!enable("1") || word != 1)
		return 4;
	event[1] = 2;
	if (write(fd, event, sizeof(event)) != sizeof(event))
		return 5;
	std::ofstream("/sys/kernel/tracing/dynamic_events", std::ios::app) << "u:of_stream u32 a\n";
	std::ifstream dynamic("/sys/kernel/tracing/dynamic_events");
	while (std::getline(dynamic, line))
		last = line;
	return last == "u:of_stream u32 a" ? 0 : 6;
}
