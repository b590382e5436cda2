/** The style of the documentation: plain, and readable in the dark too. */
export const REFERENCE_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d5d9e0, #38414f); --soft: light-dark(#f3f4f7, #1a212c); --link: light-dark(#1f44c9, #9db4ff); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem 1rem 4rem; background: light-dark(#fff, #10151d); color: light-dark(#1b2330, #e7eaf0);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
header { padding-bottom: 0.75rem; border-bottom: 1px solid var(--line); }
h1 { margin: 1.5rem 0 0.5rem; font-size: 1.75rem; line-height: 1.25; }
h2 { margin: 2rem 0 0.5rem; font-size: 1.25rem; }
h3 { margin: 1.25rem 0 0.25rem; font-size: 1rem; }
a { color: var(--link); }
nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
nav a { padding: 0.375rem 0; min-height: 1.5rem; }
form { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; padding-top: 0.5rem; }
input, button { min-height: 2.5rem; padding: 0.25rem 0.75rem; border: 1px solid light-dark(#6b7482, #8b96a8); border-radius: 0.5rem;
  background: light-dark(#fff, #10151d); color: inherit; font: inherit; }
input { flex: 1 1 12rem; min-width: 0; }
li { margin: 0.25rem 0; }
small { color: light-dark(#4b5563, #aab4c3); }
code, pre { font: 0.875rem/1.5 ui-monospace, monospace; }
pre { overflow: auto; margin: 0.5rem 0; padding: 0.75rem; border-radius: 0.5rem; background: var(--soft); overflow-wrap: normal; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; overflow-wrap: break-word; }
th, td { padding: 0.375rem 0.75rem 0.375rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
@media (max-width: 40rem) { td + td + td { min-width: 12rem; } }
footer { margin-top: 2rem; border-top: 1px solid var(--line); }
`;
