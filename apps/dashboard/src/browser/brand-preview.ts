import { readPart } from "./live";

const PAUSE_MS = 250;

function addPalettes(): void {
  for (const field of document.querySelectorAll<HTMLInputElement>("input[data-colour]")) {
    const palette = document.createElement("input");
    palette.type = "color";
    palette.setAttribute("aria-label", field.labels?.[0]?.textContent?.trim() ?? "");
    const follow = () => {
      palette.value = /^#[0-9a-f]{6}$/i.test(field.value) ? field.value.toLowerCase() : "#2346c7";
    };
    palette.addEventListener("input", () => {
      field.value = palette.value;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
    field.addEventListener("input", follow);
    follow();
    field.after(palette);
  }
}

/** Updates the preview while the user types: fetches the page with the typed values, as the form's second button does. */
function startPreview(): void {
  const form = document.querySelector<HTMLFormElement>("form[data-previews]");
  const preview = document.querySelector("[data-preview]");
  if (form === null || preview === null) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let requestCount = 0;
  const show = async () => {
    const parameters = new URLSearchParams();
    for (const field of form.querySelectorAll<HTMLInputElement>("input:not([type=hidden])[name]"))
      parameters.set(field.name, field.value.trim());
    requestCount += 1;
    const turn = requestCount;
    const next = await readPart(`${location.pathname}?${parameters}`, "[data-preview]");
    if (next && turn === requestCount) preview.replaceChildren(...next.childNodes);
  };
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => void show(), PAUSE_MS);
  });
}

export function startBrandPreview(): void {
  addPalettes();
  startPreview();
}
