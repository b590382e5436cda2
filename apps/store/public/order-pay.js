// Follows a payment: shows its status and countdown, and redirects when it is settled.
const page = document.getElementById("order-pay");
const line = document.getElementById("payment-status");
const expired = document.getElementById("expired");
const timeLeft = document.getElementById("time-left");

const pauseMs = 2000;
const longestPauseMs = 15000;
const askConnectorEvery = 5;

const showStatus = (text) => {
  if (line.textContent !== text) line.textContent = text;
};

const sentences = {
  payable: "Waiting for your payment…",
  checking: "Checking your payment…",
  paid: "Paid. One moment.",
  cancelled: "Payment cancelled.",
  expired: "The code has expired. You haven’t been charged.",
};

let checks = 0;
let failures = 0;
let next;

async function check(stateChanged = false) {
  clearTimeout(next);
  checks += 1;
  let pause = pauseMs;
  try {
    const ask = stateChanged || checks % askConnectorEvery === 0 ? "&ask=1" : "";
    const response = await fetch(page.dataset.statusAddress + ask, {
      headers: { Accept: "application/json" },
    });
    if (!response.ok) throw new Error(String(response.status));
    const payment = await response.json();
    failures = 0;
    showStatus(sentences[payment.status] ?? sentences.checking);
    if (payment.next) {
      location.assign(payment.next);
      return;
    }
    if (payment.status === "expired") {
      expired.hidden = false;
      return;
    }
  } catch {
    failures += 1;
    pause = Math.min(pauseMs * 2 ** failures, longestPauseMs);
    if (failures > 1) showStatus("We can’t reach the shop. Trying again…");
  }
  clearTimeout(next);
  next = setTimeout(check, document.hidden ? longestPauseMs : pause);
}

// The frame's message is unverified: the shop asks its connector.
page.addEventListener("tillgate-state", ({ detail }) => {
  if (detail.state !== "PENDING") check(true);
});

// The status of a page restored from the back/forward cache is out of date.
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});

// Counts down from the server's remaining seconds, because the device's clock may be wrong.
const openedAt = Date.now();

function countDown() {
  const passed = (Date.now() - openedAt) / 1000;
  const left = Math.max(0, Math.round(Number(page.dataset.secondsLeft) - passed));
  // Always two digits, so that the width never changes.
  const [minutes, seconds] = [Math.floor(left / 60), left % 60].map((part) => String(part).padStart(2, "0"));
  timeLeft.textContent = `Time left: ${minutes}:${seconds}`;
  if (left > 0) setTimeout(countDown, 1000);
}

if (timeLeft) countDown();
next = setTimeout(check, pauseMs);
// From here on, the script updates the page's texts.
document.documentElement.classList.add("scripted");
// A page rendered for browsers without scripts would keep refreshing itself, so it is reloaded once.
const isLoadedAgain = document.querySelector('meta[http-equiv="refresh"]') !== null;
if (isLoadedAgain && document.cookie.includes("tillgate_store_script=1")) location.reload();
