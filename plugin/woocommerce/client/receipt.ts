import { qrSvg } from "@tillgate/qr";
import { __ } from "@wordpress/i18n";
import { isFinalStatus, nextDelayMs, readStatus, remainingText } from "./payment-status.js";

function watchPayment(root: HTMLElement): void {
  const { qr, status: statusUrl, return: returnUrl, secondsLeft } = root.dataset;
  const codeElement = root.querySelector("[data-tillgate-qr]");
  const statusElement = root.querySelector("[data-tillgate-status]");
  const countdown = root.querySelector("[data-tillgate-countdown]");
  if (!statusUrl || !returnUrl || !statusElement || !countdown) return;

  // The pop-up has no code element: it shows its own QR code.
  if (qr && codeElement) {
    const title = __("Payment QR code", "tillgate-for-woocommerce");
    const drawing = new DOMParser().parseFromString(qrSvg(qr, { title, size: 240 }), "image/svg+xml");
    codeElement.replaceChildren(drawing.documentElement);
  }

  // Based on the server's remaining seconds, as the device's clock may be wrong.
  const endsAtMs = Date.now() + Number(secondsLeft) * 1000;
  const tick = () => {
    countdown.textContent = remainingText(
      endsAtMs - Date.now(),
      __("Time left:", "tillgate-for-woocommerce"),
    );
  };
  tick();
  const ticker = window.setInterval(tick, 1000);

  let failures = 0;
  let next = 0;
  const poll = async () => {
    window.clearTimeout(next);
    let status: string | null = null;
    try {
      // POST, because some hosts cache GET responses.
      const response = await fetch(statusUrl, { method: "POST", headers: { accept: "application/json" } });
      status = response.ok ? readStatus(await response.json()) : null;
    } catch {
      // Possibly offline: retry with backoff.
    }
    failures = status === null ? failures + 1 : 0;
    if (status !== null && isFinalStatus(status)) {
      window.clearInterval(ticker);
      statusElement.textContent = __("One moment…", "tillgate-for-woocommerce");
      const url = new URL(returnUrl, window.location.href);
      url.searchParams.set("at", String(Date.now()));
      window.location.assign(url);
      return;
    }
    statusElement.textContent =
      status === null || status === "checking"
        ? __("Checking your payment…", "tillgate-for-woocommerce")
        : __("Waiting for your payment…", "tillgate-for-woocommerce");
    window.clearTimeout(next);
    next = window.setTimeout(() => void poll(), nextDelayMs(failures, document.hidden));
  };
  void poll();
  // The pop-up's event only triggers a poll: the server checks with Tillgate.
  root.addEventListener("tillgate-state", () => void poll());
  // A page restored from the back/forward cache has stopped polling.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) void poll();
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) tick();
  });
}

for (const root of document.querySelectorAll<HTMLElement>("[data-tillgate-receipt]")) watchPayment(root);
