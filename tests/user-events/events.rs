// SPDX-License-Identifier: GPL-2.0-or-later
// Writes user_events from Rust: the standard library's files and threads, and the C library's ioctl.
use std::fs::OpenOptions;
use std::io::{IoSlice, Write};
use std::os::raw::{c_int, c_ulong};
use std::os::unix::io::AsRawFd;
use std::process::exit;
use std::sync::atomic::{AtomicU32, Ordering};

extern "C" {
    fn ioctl(fd: c_int, request: c_ulong, ...) -> c_int;
}

const PATH: &str = "/sys/kernel/tracing/user_events_data";
const ENOENT: i32 = 2; // what the kernel says of an index that was not registered
const NAME: &[u8] = b"rust u32 thread; u64 number; __data_loc char[] text\0";

static WORD: AtomicU32 = AtomicU32::new(0);

// _IOC(direction, '*', number, bytes of a pointer); 3 is reading and writing, 1 is writing.
const fn request(direction: c_ulong, number: c_ulong) -> c_ulong {
    let bytes = std::mem::size_of::<usize>() as c_ulong;
    direction << 30 | bytes << 16 | (b'*' as c_ulong) << 8 | number
}

// Registers the event; the kernel sets the bit while the event is enabled, one for each file here.
fn register(fd: c_int, bit: u8) -> Option<u32> {
    let mut reg = Vec::new();
    reg.extend(28u32.to_ne_bytes()); // size
    reg.extend([bit, 4]); // and bytes of the word it is in
    reg.extend(0u16.to_ne_bytes()); // flags
    reg.extend((&WORD as *const AtomicU32 as u64).to_ne_bytes());
    reg.extend((NAME.as_ptr() as u64).to_ne_bytes());
    reg.extend(0u32.to_ne_bytes()); // write_index
    if unsafe { ioctl(fd, request(3, 0), reg.as_mut_ptr()) } != 0 {
        return None;
    }
    Some(u32::from_ne_bytes(reg[24..28].try_into().unwrap()))
}

fn unregister(fd: c_int, bit: u8) -> bool {
    let mut unreg = Vec::new();
    unreg.extend(16u32.to_ne_bytes()); // size
    unreg.extend([bit, 0, 0, 0]);
    unreg.extend((&WORD as *const AtomicU32 as u64).to_ne_bytes());
    unsafe { ioctl(fd, request(1, 2), unreg.as_mut_ptr()) == 0 }
}

fn write_events(index: u32, thread: u32) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(PATH)?;
    register(file.as_raw_fd(), 4 + thread as u8)
        .filter(|again| *again == index)
        .ok_or_else(std::io::Error::last_os_error)?;
    for number in 0..100u64 {
        let text = format!("line {number}\0");
        // Offsets of __data_loc count from the beginning of the record, behind its 8 bytes.
        let data_loc = (text.len() as u32) << 16 | (8 + 4 + 8 + 4);
        let mut record = thread.to_ne_bytes().to_vec();
        record.extend(number.to_ne_bytes());
        record.extend(data_loc.to_ne_bytes());
        record.extend(text.as_bytes());
        let head = index.to_ne_bytes();
        let n = file.write_vectored(&[IoSlice::new(&head), IoSlice::new(&record)])?;
        assert_eq!(n, head.len() + record.len());
    }
    Ok(())
}

fn main() {
    let mut file = OpenOptions::new().read(true).write(true).open(PATH).unwrap();
    let fd = file.as_raw_fd();
    let index = match register(fd, 3) {
        Some(index) if WORD.load(Ordering::SeqCst) == 1 << 3 => index,
        _ => exit(1),
    };
    let threads: Vec<_> =
        (0..4).map(|t| std::thread::spawn(move || write_events(index, t))).collect();
    for t in threads {
        if let Err(e) = t.join().unwrap() {
            eprintln!("{e}");
            exit(2);
        }
    }
    if !unregister(fd, 3) || WORD.load(Ordering::SeqCst) & 1 << 3 != 0 {
        exit(3);
    }
    match file.write(&77u32.to_ne_bytes()) {
        Err(e) if e.raw_os_error() == Some(ENOENT) => {}
        _ => exit(4),
    }
}
