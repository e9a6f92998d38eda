//! What clients ask of slow paths: memory that comes and goes, rights that change, processes that open and end, and
//! what is to be refused.
use std::rc::Rc;

use mneme_clib::{AllocOptions, Effect, Error};
use mneme_wire::{Rights, Status};
use rand::Rng;

use super::history::Act;
use super::holdings::Asked;
use super::program::{Known, Made, Step};
use super::tenants::{Failed, Region, WORDS, Worker, failed};

/// Pages of an allocation that clients make and share.
const PAGES: u64 = 2;
/// With pages of its own.
const WHOLE: AllocOptions =
    AllocOptions { rights: Rights::READ_WRITE, at: None, own_pages: true, frames: None, lane: None };

/// Memory of one thread.
pub(super) struct Own {
    pub(super) region: Region,
    /// What its words hold.
    pub(super) known: Known,
}

impl Worker {
    /// Allocates memory of its own.
    pub(super) async fn allocate(&mut self) -> Result<Own, Failed> {
        let (page, pid) = (self.process.page_size(), self.tenant.pid);
        let doubt = self.ask(Asked::Alloc(pid, PAGES, Rights::READ_WRITE));
        let allocated = self.process.ralloc_with_async(PAGES * page, WHOLE).await;
        self.context.told(self.tenant.board, doubt, &allocated, |base| *base);
        let base = allocated.map_err(|error| failed(&error))?;
        let region = Region::within(base, page, self.context.number());
        // Pages come as zeros.
        Ok(Own { region, known: [Some(0); _] })
    }
    fn ask(&self, asked: Asked) -> super::holdings::Doubt {
        self.context.ask(self.tenant.board, self.tenant.boot, asked)
    }
    /// Frees memory behind a write to it and before a read of it, which wait for each other. Nobody uses the memory
    /// afterwards, whatever came of it.
    pub(super) async fn free(&mut self, own: Option<Own>) -> Result<(), Failed> {
        let Some(Own { region, .. }) = own else { return Ok(()) };
        if self.context.plain {
            let doubt = self.ask(Asked::Free(self.tenant.pid, region.base));
            let freed = self.process.rfree_async(region.base).await;
            self.context.told(self.tenant.board, doubt, &freed, |()| 0);
            return freed.map_err(|error| failed(&error));
        }
        let (process, index, value) =
            (Rc::clone(&self.process), self.random.random_range(0..WORDS), self.value());
        let Made { ticket, step, call, .. } = self.make(&process, region, index, Step::Write(vec![value]));
        let doubt = self.ask(Asked::Free(self.tenant.pid, region.base));
        let freeing = process.rfree_async(region.base);
        let reading = process.rread_owned_async(region.at(index), vec![0; 8]);
        let written = self.end_one(ticket, &step, call).await;
        let unmapped = |error: &Error| matches!(error.refusal(), Some((Status::Unmapped, _)));
        if written.is_err_and(|error| unmapped(&error)) {
            self.disorder(format!("a write to {:#x} came behind the call that freed it", region.base));
        }
        let freed = freeing.await;
        self.context.told(self.tenant.board, doubt, &freed, |()| 0);
        let read = reading.await.map(|bytes| bytes.first_chunk().map_or(0, |word| u64::from_le_bytes(*word)));
        read.iter().for_each(|word| self.look(*word));
        if freed.is_ok() && read.is_ok_and(|word| word == value) {
            self.disorder(format!("{value:#x} was read at {:#x} behind the call that freed it", region.base));
        }
        if let Err(error @ Error::NotAllocated(_)) = &freed {
            self.told_wrong(format!("{:#x} could not be freed: {error}", region.base));
        }
        freed.map_err(|error| failed(&error))
    }
    /// What a client is told can be seen to be wrong without a look at the board.
    fn told_wrong(&self, what: String) {
        self.context.holdings.borrow_mut().cannot_be(what);
    }
    fn set_rights(&self, region: Region, rights: Rights) -> Result<(), Failed> {
        let doubt = self.ask(Asked::Protect(self.tenant.pid, region.base, rights));
        let set = self.process.rprotect(region.base, PAGES * self.process.page_size(), rights);
        self.context.told(self.tenant.board, doubt, &set, |()| 0);
        set.map_err(|error| failed(&error))
    }
    /// Makes memory read-only for a moment, in which a write must be refused. What has other rights than the client
    /// thinks is not used again.
    pub(super) async fn protect(&mut self, own: &mut Option<Own>) -> Result<(), Failed> {
        let Some(Own { region, mut known }) = own.take() else { return Ok(()) };
        self.set_rights(region, Rights::READ_ONLY)?;
        let (index, value) = (self.random.random_range(0..WORDS), self.value());
        let act = Act::Write(value);
        let ticket = self.context.begin(self.client, vec![(region.word(index), act)]);
        let written = self.process.rwrite_async(region.va + 8 * index, &value.to_le_bytes()).await;
        let refusal = written.as_ref().err().and_then(|error| error.refusal());
        if written.is_ok() {
            self.told_wrong(format!("a page of {:#x} was written though it is read-only", region.base));
        }
        if written.as_ref().err().is_none_or(|error| error.effect() != Effect::None) {
            known[index as usize] = None;
        }
        let concluded = self.conclude(ticket, written, |()| vec![act]);
        if !matches!(refusal, Some((Status::Denied, _))) {
            concluded?;
        }
        self.set_rights(region, Rights::READ_WRITE)?;
        *own = Some(Own { region, known });
        Ok(())
    }
    /// Asks for what cannot be had.
    pub(super) async fn refused(&mut self) -> Result<(), Failed> {
        let (board, pid, shared) = (self.tenant.board, self.tenant.pid, self.tenant.shared.base);
        let page = self.process.page_size();
        let (asked, result) = match self.random.random_range(0..4) {
            kind @ 0..2 => {
                // More than the board has, or where something is.
                let (pages, at) = if kind == 0 { (1 << 20, None) } else { (1, Some(shared)) };
                let asked = Asked::Alloc(pid, pages, Rights::READ_WRITE);
                let doubt = self.ask(asked);
                let result = self.process.ralloc_with_async(pages * page, AllocOptions { at, ..WHOLE }).await;
                self.context.told(board, doubt, &result, |base| *base);
                (asked, result.map(drop))
            }
            2 => {
                // In the middle of an allocation.
                let asked = Asked::Free(pid, shared + page);
                let doubt = self.ask(asked);
                let result = self.process.rfree_async(shared + page).await;
                self.context.told(board, doubt, &result, |()| 0);
                (asked, result)
            }
            _ => {
                // Beyond its end.
                let asked = Asked::Protect(pid, shared, Rights::READ_ONLY);
                let doubt = self.ask(asked);
                let result = self.process.rprotect(shared, 1 << 40, Rights::READ_ONLY);
                self.context.told(board, doubt, &result, |()| 0);
                (asked, result)
            }
        };
        match result {
            Ok(()) => self.told_wrong(format!("{asked:x?} was done and cannot be")),
            Err(error) if error.refusal().is_none() => return Err(failed(&error)),
            Err(_) => {}
        }
        Ok(())
    }
    /// Opens another process, uses it and ends it.
    pub(super) fn visit(&mut self) -> Result<(), Failed> {
        let (board, context) = (self.tenant.board, &self.context);
        let (process, boot) = context.open(board, &self.handle).map_err(|error| failed(&error))?;
        let pid = process.pid();
        let mut token = process.token();
        token[0] ^= 1;
        if self.handle.join(pid, token).is_ok() {
            self.told_wrong(format!("process {pid} was joined by somebody who does not know its token"));
        }
        let doubt = context.ask(board, boot, Asked::Alloc(pid, 1, Rights::READ_WRITE));
        let allocated = process.ralloc_with(1, WHOLE);
        context.told(board, doubt, &allocated, |base| *base);
        let used = allocated.and_then(|va| {
            let mut bytes = [0; 8];
            process.rread(va, &mut bytes)?;
            self.look(u64::from_le_bytes(bytes));
            process.rwrite(va, &self.value().to_le_bytes())
        });
        // With its memory, whatever became of that.
        let doubt = context.ask(board, boot, Asked::Exit(pid));
        let ended = process.exit().map_err(mneme_clib::Error::from);
        context.told(board, doubt, &ended, |()| 0);
        used.and(ended).map_err(|error| failed(&error))
    }
}
