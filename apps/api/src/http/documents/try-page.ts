/** The page at `/docs/try`. It loads everything from the API's origin. */
export const TRY_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Try the Tillgate API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/try.css">
</head>
<body>
<noscript><p>This page needs JavaScript. Read the reference instead: <a href="/docs">/docs</a></p></noscript>
<nav><a href="/docs">Read the reference</a></nav>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** Adjusts the viewer's styles: phone widths, badge contrast, and the surrounding page. */
export const TRY_STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; background: light-dark(#fff, #1c2022); color: light-dark(#1b2330, #e7eaf0); font: 1rem/1.5 system-ui, sans-serif; }
nav, noscript p { display: block; max-width: 1460px; margin: 0 auto; padding: 1rem 1.25rem 0; }
nav a, noscript a, .swagger-ui .info a, .swagger-ui .info a .url { color: light-dark(#1f44c9, #9db4ff); }
.swagger-ui .btn.authorize { color: light-dark(#12633c, #6fd6a0); }
.swagger-ui * { transition: none !important; }
.swagger-ui .btn.execute { background: #2b62ab; border-color: #2b62ab; color: #fff; }
.swagger-ui .btn.cancel { color: light-dark(#b42318, #ffb3ad) !important; border-color: light-dark(#b42318, #ffb3ad) !important; }
.swagger-ui .parameter__in { color: light-dark(#4b5563, #aab4c3); }
.swagger-ui .opblock-summary-path a { display: inline-block; min-height: 1.5rem; }
.swagger-ui .opblock .opblock-summary-method { color: #10151d; text-shadow: none; }
html:not(.dark-mode) .swagger-ui .info .title small { background: #566275; }
html:not(.dark-mode) .swagger-ui .info .title small.version-stamp { background: #365314; }
.dark-mode .swagger-ui .examples-select__section-label { color: #aab4c3; }
.dark-mode .swagger-ui .header-col { color: #e4e6e6; }
.swagger-ui .microlight span[style*="rgb(211, 99, 99)"] { color: #f0a3a3 !important; }
@media (max-width: 40rem) {
  .swagger-ui .opblock-tag { flex-wrap: wrap; }
  .swagger-ui .opblock-tag small { order: 1; flex: 1 0 100%; padding: 0.25rem 0 0; }
  .swagger-ui .opblock-summary-path { max-width: none; }
  .swagger-ui .info, .swagger-ui .opblock-body { overflow-wrap: anywhere; }
  .swagger-ui .loading-container { overflow-wrap: normal; }
  .swagger-ui select { max-width: 100%; }
}
`;

export const START_SCRIPT = `const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();
const reference = document.querySelector("#reference");
// Accessibility fixes for the viewer: missing names, and headings that skip a level.
const WANTED = [
  ["#servers", "aria-label", "Server"],
  [".information-container, .schemes-server-container", "role", "region"],
  [".information-container", "aria-label", "About the API"],
  [".schemes-server-container", "aria-label", "Server"],
  [".opblock-tag, .models h4", "aria-level", "2"],
  [".opblock h4", "aria-level", "3"],
  [".opblock h5", "aria-level", "4"],
  [".examples-select-element", "aria-label", "Example"],
  [".body-param__text", "aria-label", "Body"],
  [".modal-ux", "role", "dialog"],
  [".modal-ux", "aria-label", "Keys"],
  [".modal-ux-header h3", "aria-level", "2"],
  [".modal-ux .auth-container h4", "aria-level", "3"],
  [".close-modal", "aria-label", "Close"],
  [".microlight", "tabindex", "0"],
];
// The operation that a page of /docs links to, until that operation has been opened.
let [, linked] = /^#(\\w+)$/.exec(location.hash) ?? [];
// The viewer renders after it reports completion, and re-renders parts: fix each part whenever it appears.
new MutationObserver(() => {
  for (const [selector, name, value] of WANTED)
    for (const found of reference.querySelectorAll(":is(" + selector + "):not([" + name + "])"))
      found.setAttribute(name, value);
  const operation = linked && reference.querySelector('.opblock[id$="-' + linked + '"]');
  if (!operation) return;
  linked = undefined;
  operation.querySelector(".opblock-summary-control").click();
  operation.scrollIntoView();
}).observe(reference, { childList: true, subtree: true });
SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  // The viewer's deep links are nested in buttons, and screen readers cannot tell the two apart; /docs has a URL for every operation.
  deepLinking: false,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  defaultModelRendering: "example",
  displayRequestDuration: true,
  filter: false,
  tryItOutEnabled: false,
  validatorUrl: null,
  withCredentials: false,
});
`;
