let loading: Promise<void> | undefined;
let loaded = false;

/** Loads the script of passkeys, once. Without it their forms are sent as they are, and the server says what is missing. */
function load(address: string): Promise<void> {
  loading ??= new Promise((resolve) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = script.onerror = () => {
      loaded = true;
      resolve();
    };
    document.head.append(script);
  });
  return loading;
}

/** Begins to load the script of passkeys where the view has a form for one. */
export function preparePasskeys(main: HTMLElement): void {
  const address = main.querySelector<HTMLInputElement>("input[data-passkey]")?.dataset.script;
  if (address !== undefined) void load(address);
}

/** Holds a passkey's form back until the script is there. Listens before the one that sends forms. */
export function holdPasskeyForms(): void {
  document.addEventListener(
    "submit",
    (event) => {
      const form = event.target;
      if (loaded || !(form instanceof HTMLFormElement)) return;
      const address = form.querySelector<HTMLInputElement>("input[data-passkey]")?.dataset.script;
      if (address === undefined) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const { submitter } = event;
      void load(address).then(() => form.requestSubmit(submitter));
    },
    true,
  );
}
