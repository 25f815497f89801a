// SPDX-License-Identifier: GPL-2.0-or-later

// Writes events from goroutines: a static program whose runtime makes its own system calls and
// sends itself signals.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"unsafe"
)

const register = 0xc0082a00 // _IOWR('*', 0, a pointer)

type reg struct {
	size       uint32
	enableBit  uint8
	enableSize uint8
	flags      uint16
	enableAddr uint64
	nameArgs   uint64
	writeIndex uint32
}

var word uint32
var name = []byte("golang u32 thread; u32 number\x00")

func fail(what ...any) {
	fmt.Println(what...)
	os.Exit(1)
}

func write(f *os.File, index uint32, thread uint32) {
	for n := uint32(0); n < 1000; n++ {
		e := [3]uint32{index, thread, n}
		if _, err := f.Write((*[12]byte)(unsafe.Pointer(&e))[:]); err != nil {
			fail(err)
		}
	}
}

func main() {
	f, err := os.OpenFile("/sys/kernel/tracing/user_events_data", os.O_RDWR, 0)
	if err != nil {
		fail(err)
	}
	r := reg{size: 28, enableSize: 4}
	r.enableAddr = uint64(uintptr(unsafe.Pointer(&word)))
	r.nameArgs = uint64(uintptr(unsafe.Pointer(&name[0])))
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), register, uintptr(unsafe.Pointer(&r)))
	if errno != 0 || word != 1 {
		fail("register", errno, word)
	}
	var all sync.WaitGroup
	for i := uint32(0); i < 8; i++ {
		all.Add(1)
		go func(thread uint32) {
			write(f, r.writeIndex, thread)
			all.Done()
		}(i)
	}
	all.Wait()
	if out, err := exec.Command("/bin/echo", "child").Output(); err != nil || string(out) != "child\n" {
		fail("a child", err)
	}
	text, err := os.ReadFile("/sys/kernel/tracing/user_events_status")
	if err != nil || string(text) != "golang # Used by ftrace\n\nActive: 1\nBusy: 1\n" {
		fail("status", err, string(text))
	}
}
