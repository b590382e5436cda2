/** The style of the reference page: plain, and readable in the dark too. */
export const REFERENCE_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d5d9e0, #38414f); --soft: light-dark(#f3f4f7, #1a212c); --link: light-dark(#1f44c9, #9db4ff); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem 1rem 4rem; background: light-dark(#fff, #10151d); color: light-dark(#1b2330, #e7eaf0);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 1.75rem; }
h2 { margin: 2rem 0 0.5rem; font-size: 1.25rem; }
a { color: var(--link); }
nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
nav a, summary { padding: 0.375rem 0; min-height: 1.5rem; }
code, pre { font: 0.875rem/1.5 ui-monospace, monospace; }
pre { overflow: auto; margin: 0.5rem 0; padding: 0.75rem; border-radius: 0.5rem; background: var(--soft); }
details { border-top: 1px solid var(--line); }
details details { margin-inline-start: 1rem; }
summary { cursor: pointer; }
dl { margin: 0.5rem 0; }
dl div { padding: 0.25rem 0; border-top: 1px dashed var(--line); }
dd { margin: 0; }
`;
