import { qrSvg } from "@tillgate/qr";
import { __ } from "@wordpress/i18n";
import { isEnd, nextDelayMs, readStatus, remainingText } from "./payment-status.js";

/** Draws the QR code of the payment, counts down, and goes on once the shop knows how the payment ended. */
function watch(root: HTMLElement): void {
  const { qr, status: statusAddress, return: returnAddress, secondsLeft } = root.dataset;
  const codePlace = root.querySelector("[data-tillgate-qr]");
  const statusPlace = root.querySelector("[data-tillgate-status]");
  const countdown = root.querySelector("[data-tillgate-countdown]");
  if (!statusAddress || !returnAddress || !statusPlace || !countdown) return;

  // A phone has no code: there is no other screen to scan it with. A pop-up has its own.
  if (qr && codePlace) {
    const title = __("Payment QR code", "tillgate-for-woocommerce");
    const drawing = new DOMParser().parseFromString(qrSvg(qr, { title, size: 240 }), "image/svg+xml");
    codePlace.replaceChildren(drawing.documentElement);
  }

  // Counted from the seconds that the server says are left: the clock of the device may be wrong.
  const endsAtMs = Date.now() + Number(secondsLeft) * 1000;
  const tick = () => {
    countdown.textContent = remainingText(
      endsAtMs - Date.now(),
      __("Time left:", "tillgate-for-woocommerce"),
    );
  };
  tick();
  const ticking = window.setInterval(tick, 1000);

  let failures = 0;
  let next = 0;
  const look = async () => {
    window.clearTimeout(next);
    let status: string | null = null;
    try {
      // A POST: some hosts answer a GET from their cache.
      const answer = await fetch(statusAddress, { method: "POST", headers: { accept: "application/json" } });
      status = answer.ok ? readStatus(await answer.json()) : null;
    } catch {
      // The connection may come back: look again, more slowly.
    }
    failures = status === null ? failures + 1 : 0;
    if (status !== null && isEnd(status)) {
      window.clearInterval(ticking);
      statusPlace.textContent = __("One moment…", "tillgate-for-woocommerce");
      const address = new URL(returnAddress, window.location.href);
      address.searchParams.set("at", String(Date.now()));
      window.location.assign(address);
      return;
    }
    statusPlace.textContent =
      status === null || status === "checking"
        ? __("Checking your payment…", "tillgate-for-woocommerce")
        : __("Waiting for your payment…", "tillgate-for-woocommerce");
    window.clearTimeout(next);
    next = window.setTimeout(() => void look(), nextDelayMs(failures, document.hidden));
  };
  void look();
  // What the pop-up says is a hint. The shop asks Tillgate.
  root.addEventListener("tillgate-state", () => void look());
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) tick();
  });
}

for (const root of document.querySelectorAll<HTMLElement>("[data-tillgate-receipt]")) watch(root);
