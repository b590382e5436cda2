import { __ } from "@wordpress/i18n";
import { type Finding, readFindings } from "./findings.js";

/** The button "Test connection" on the settings and health pages. */
function arm(button: HTMLButtonElement): void {
  const list = button.closest(".tillgate-connection-test")?.querySelector("[data-tillgate-results]");
  const { tillgateTest: address, action, nonce } = button.dataset;
  if (!list || !address || !action || !nonce) return;
  // Until now a press would have been lost.
  button.disabled = false;
  const show = (findings: Finding[]) => list.replaceChildren(...findings.map(lineOf));

  button.addEventListener("click", async () => {
    button.disabled = true;
    show([{ ok: null, text: __("Testing…", "tillgate-for-woocommerce") }]);
    try {
      const answer = await fetch(address, {
        method: "POST",
        body: new URLSearchParams({ action, nonce }),
        credentials: "same-origin",
      });
      const findings = readFindings(await answer.json());
      if (findings === null) throw new Error("another answer");
      show(findings);
    } catch {
      const text = __("The test couldn’t be run. Reload the page and try again.", "tillgate-for-woocommerce");
      show([{ ok: false, text }]);
    } finally {
      button.disabled = false;
    }
  });
}

function lineOf({ ok, text }: Finding): HTMLLIElement {
  const line = document.createElement("li");
  line.dataset.ok = String(ok);
  line.textContent = ok === null ? text : `${ok ? "✓" : "✗"} ${text}`;
  return line;
}

for (const button of document.querySelectorAll<HTMLButtonElement>("[data-tillgate-test]")) arm(button);
