//! What of the board is used: two timers, the tick's counter, the first serial port.
//!
//! Arm: Application Note AN385, ARM Cortex-M3 SMM on V2M-MPS2; Cortex-M System
//! Design Kit Technical Reference Manual (timer, UART).

use core::fmt;

use cortex_m::peripheral::{NVIC, SCB, SYST};
use cortex_m_rt::exception;

/// Nanoseconds of a tick of every counter here: all run at 25 MHz.
pub const TICK_NS: u32 = 40;
/// Ticks from one expiry of the interrupting timer to the next: 100 us.
pub const TIMER_PERIOD: u32 = 2_500;

/// The timer that interrupts.
const INTERRUPTING: usize = 0x4000_0000;
/// The timer whose value is the clock: it counts down from the top of its 32 bits.
const CLOCK: usize = 0x4000_1000;
const UART0: usize = 0x4000_4000;

const TIMER_CONTROL: usize = 0x0;
const TIMER_VALUE: usize = 0x4;
const TIMER_RELOAD: usize = 0x8;
const TIMER_CLEAR: usize = 0xC;
const TIMER_ENABLE: u32 = 1;
const TIMER_INTERRUPT: u32 = 1 << 3;

const UART_DATA: usize = 0x0;
const UART_STATE: usize = 0x4;
const UART_CONTROL: usize = 0x8;
const UART_DIVIDER: usize = 0x10;
const UART_FULL: u32 = 1;
const UART_SEND: u32 = 1;

const TIMER0_LINE: u16 = 8;
/// The most urgent priority from which the kernel may be called, in the upper bits.
const TIMER0_PRIORITY: u8 = 5 << 5;

#[derive(Clone, Copy)]
struct Line(u16);

// SAFETY: the number is that of the timer's line on this board.
unsafe impl cortex_m::interrupt::InterruptNumber for Line {
    fn number(self) -> u16 {
        self.0
    }
}

unsafe extern "C" {
    /// The timer's handler.
    fn TIMER0();
}

/// The vectors behind those of the processor itself.
#[unsafe(link_section = ".vector_table.interrupts")]
#[unsafe(no_mangle)]
pub static __INTERRUPTS: [unsafe extern "C" fn(); TIMER0_LINE as usize + 1] =
    [TIMER0; TIMER0_LINE as usize + 1];

fn read(register: usize) -> u32 {
    // SAFETY: every address used here is a register of the board that may be read
    // at any time, without an effect.
    unsafe { (register as *const u32).read_volatile() }
}

fn write(register: usize, value: u32) {
    // SAFETY: every address used here is a register of the board, and none of them
    // makes it touch memory.
    unsafe { (register as *mut u32).write_volatile(value) }
}

/// Starts the clock and the serial port.
pub fn start() {
    write(CLOCK + TIMER_RELOAD, u32::MAX);
    write(CLOCK + TIMER_VALUE, u32::MAX);
    write(CLOCK + TIMER_CONTROL, TIMER_ENABLE);
    write(UART0 + UART_DIVIDER, 16);
    write(UART0 + UART_CONTROL, UART_SEND);
}

/// The clock, in ticks.
#[inline(always)]
pub fn now() -> u32 {
    !read(CLOCK + TIMER_VALUE)
}

/// Ticks since the kernel's own periodic interrupt was due last.
#[inline(always)]
pub fn since_kernel_tick() -> u32 {
    let period = SYST::get_reload() + 1;
    (period - SYST::get_current()) % period
}

/// Lets the timer interrupt once a period, until it is stopped.
pub fn start_timer() {
    write(INTERRUPTING + TIMER_RELOAD, TIMER_PERIOD - 1);
    write(INTERRUPTING + TIMER_VALUE, TIMER_PERIOD - 1);
    // SAFETY: the handler is in place, and nothing relies on the line being masked.
    unsafe {
        let mut interrupts = cortex_m::Peripherals::steal().NVIC;
        interrupts.set_priority(Line(TIMER0_LINE), TIMER0_PRIORITY);
        NVIC::unmask(Line(TIMER0_LINE));
    }
    write(INTERRUPTING + TIMER_CONTROL, TIMER_ENABLE | TIMER_INTERRUPT);
}

/// Ends the timer's interrupts.
pub fn stop_timer() {
    write(INTERRUPTING + TIMER_CONTROL, 0);
    NVIC::mask(Line(TIMER0_LINE));
    acknowledge_timer();
}

/// Ticks since the interrupting timer expired last.
#[inline(always)]
pub fn since_expiry() -> u32 {
    (TIMER_PERIOD - read(INTERRUPTING + TIMER_VALUE)) % TIMER_PERIOD
}

/// Tells the timer that its interrupt is handled.
#[inline(always)]
pub fn acknowledge_timer() {
    write(INTERRUPTING + TIMER_CLEAR, 1);
}

/// The serial port.
pub struct Serial;

impl fmt::Write for Serial {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            while read(UART0 + UART_STATE) & UART_FULL != 0 {}
            write(UART0 + UART_DATA, byte.into());
        }
        Ok(())
    }
}

/// Asks for a reset, at which QEMU ends (`-no-reboot`).
pub fn end() -> ! {
    SCB::sys_reset()
}

/// An interrupt that nobody waits for.
#[exception]
unsafe fn DefaultHandler(number: i16) {
    panic!("interrupt {number} came unasked");
}
