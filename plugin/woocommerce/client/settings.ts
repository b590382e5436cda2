import { __ } from "@wordpress/i18n";
import { type Finding, readFindings } from "./findings.js";

function enableButton(button: HTMLButtonElement): void {
  const list = button.closest(".tillgate-connection-test")?.querySelector("[data-tillgate-results]");
  const { tillgateTest: url, action, nonce } = button.dataset;
  if (!list || !url || !action || !nonce) return;
  button.disabled = false;
  const show = (findings: Finding[]) => list.replaceChildren(...findings.map(toListItem));

  button.addEventListener("click", async () => {
    button.disabled = true;
    show([{ ok: null, text: __("Testing…", "tillgate-for-woocommerce") }]);
    try {
      const response = await fetch(url, {
        method: "POST",
        body: new URLSearchParams({ action, nonce }),
        credentials: "same-origin",
      });
      const findings = readFindings(await response.json());
      if (findings === null) throw new Error("Invalid response");
      show(findings);
    } catch {
      const text = __("The test couldn’t be run. Reload the page and try again.", "tillgate-for-woocommerce");
      show([{ ok: false, text }]);
    } finally {
      button.disabled = false;
    }
  });
}

function toListItem({ ok, text }: Finding): HTMLLIElement {
  const item = document.createElement("li");
  item.dataset.ok = String(ok);
  item.textContent = ok === null ? text : `${ok ? "✓" : "✗"} ${text}`;
  return item;
}

for (const button of document.querySelectorAll<HTMLButtonElement>("[data-tillgate-test]"))
  enableButton(button);
