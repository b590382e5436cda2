import { isLiveAddress } from "@tillgate/contract";
import { sendRequest } from "./check-request.js";
import { checkStore } from "./check-store.js";
import { checkCredential, checkCurrency, checkWebhook, type TillgateAccess } from "./check-tillgate.js";
import { findKeys } from "./find-keys.js";
import { type Finding, fail, formatReport, ok, warn } from "./finding.js";
import { type ConnectOptions, type Prompt, readOptions, UsageError } from "./options.js";
import { openStoreApi } from "./store-api.js";
import { createEntry, type StoreEntry, StoresFileError, writeEntry } from "./store-entry.js";
import { deriveWebhookSecret, ensureWebhooks } from "./store-webhooks.js";

export const exitCodes = { ready: 0, failed: 1, usage: 2 } as const;

export type ConnectIo = {
  report: (text: string) => void;
  /** Writes the store's entry. Separate from `report`, because the entry contains secrets. */
  print: (text: string) => void;
  prompt: Prompt;
  /** Opens the URL in a browser. The URL is always printed as well. */
  openBrowser?: (address: string) => void;
  nowMs?: () => number;
};

/** Runs `tillgate-connect`. @returns one of {@link exitCodes} */
export async function connect(
  args: readonly string[],
  { report, print, prompt, openBrowser, nowMs = Date.now }: ConnectIo,
): Promise<number> {
  try {
    const options = await readOptions(args, prompt, report);
    if (options === null) return exitCodes.ready;
    const { findings, entry } = await setUpStore(options, nowMs, (address) => {
      report(
        `Open this URL on this machine, sign in (or create a sandbox account if sign-up is open) and approve the connection:\n\n  ${address}\n\n`,
      );
      openBrowser?.(address);
    });
    if (!options.checkOnly && entry !== null) {
      if (options.out === null) print(`${JSON.stringify(entry, null, 2)}\n`);
      else {
        await writeEntry(options.out, entry);
        findings.push(
          ok(`Store entry saved in ${options.out}. Set CONNECTOR_STORES to the contents of that file.`),
        );
      }
    }
    report(formatReport(findings));
    return findings.some(({ state }) => state === "error") ? exitCodes.failed : exitCodes.ready;
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof StoresFileError)) throw error;
    report(`${error.message}\nSee --help.\n`);
    return exitCodes.usage;
  }
}

async function setUpStore(
  options: ConnectOptions,
  nowMs: () => number,
  show: (address: string) => void,
): Promise<{ findings: Finding[]; entry: StoreEntry | null }> {
  const { storeUrl, consumerKey, consumerSecret, connectorUrl, storeId, checkOnly } = options;
  const stores = `${connectorUrl}/v1/stores/${storeId}`;
  const deliveryUrl = `${stores}/store-webhook`;
  const secret = deriveWebhookSecret(consumerSecret, deliveryUrl);

  const api = openStoreApi({ url: storeUrl, consumerKey, consumerSecret });
  const store = await checkStore(storeUrl, api, nowMs);
  const found = await findKeys(options, store.usable, show);
  if (found.keys === null) return { findings: [...store.findings, ...found.findings], entry: null };
  const { keys, mode } = found;
  const entry = createEntry(options, mode, keys, secret);
  const accessTo = (which: "sandbox" | "live", pair: { client_id: string; client_secret: string }) => ({
    url: options.tillgateUrl,
    mode: which,
    clientId: pair.client_id,
    clientSecret: pair.client_secret,
  });
  const modeKeys = keys[mode];
  if (modeKeys === undefined) throw new Error(`There are no API keys for ${mode} mode.`);
  const access = accessTo(mode, modeKeys);
  const credential = await checkCredential(access, nowMs);
  const findings = [...store.findings, ...found.findings, ...credential];
  const otherMode = mode === "live" ? "sandbox" : "live";
  const otherKeys = keys[otherMode];
  if (otherKeys !== undefined) findings.push(await checkUnusedKeys(accessTo(otherMode, otherKeys), nowMs));
  const isCredentialValid = credential.every(({ state }) => state !== "error");
  if (isCredentialValid && store.currency !== null)
    findings.push(await checkSettlementCurrency(access, store.currency, checkOnly));

  const connector = await checkConnector(connectorUrl);
  findings.push(connector);
  if (connector.state === "error") return { findings, entry };
  if (store.usable) findings.push(...(await ensureWebhooks(api, { deliveryUrl, secret, checkOnly })));
  if (isCredentialValid) findings.push(await checkWebhook(access, `${stores}/webhook`));
  return { findings, entry };
}

async function checkUnusedKeys(access: TillgateAccess, nowMs: () => number): Promise<Finding> {
  if (access.mode === "live" && !isLiveAddress(access.url))
    return warn(
      "The live keys were saved but not tested, because this Tillgate URL isn't https.",
      "Use https URLs before you switch to live mode.",
    );
  const [result] = await checkCredential(access, nowMs);
  return result;
}

function checkSettlementCurrency(
  access: Parameters<typeof checkCurrency>[0],
  currency: string,
  checkOnly: boolean,
): Promise<Finding> {
  if (!checkOnly) return checkCurrency(access, currency);
  // This can only be tested with an order, and `--check` does not create orders.
  return Promise.resolve(
    warn(
      `Whether the merchant accepts ${currency} wasn't tested.`,
      "Run this command without --check to create a test order and cancel it.",
    ),
  );
}

async function checkConnector(connectorUrl: string): Promise<Finding> {
  const response = await sendRequest(`${connectorUrl}/healthz`);
  if (response.status === 200 && !response.isPage) return ok(`The connector is running at ${connectorUrl}.`);
  const reason = response.status === null ? response.reason : `HTTP ${response.status}`;
  return fail(
    `The connector cannot be reached at ${connectorUrl}: ${reason}.`,
    "Start it with the store's entry in CONNECTOR_STORES, then run this command again.",
  );
}
