import { isLiveAddress } from "@tillgate/contract";
import { ask } from "./answer.js";
import { checkStore } from "./check-store.js";
import { checkCredential, checkCurrency, checkWebhook, type TillgateAccess } from "./check-tillgate.js";
import { findKeys } from "./find-keys.js";
import { type Finding, fix, ok, reportOf, warn } from "./finding.js";
import { type AskPerson, type ConnectOptions, readOptions, UsageError } from "./options.js";
import { openStoreApi } from "./store-api.js";
import { type StoreEntry, StoresFileError, storeEntry, writeEntry } from "./store-entry.js";
import { ensureWebhooks, webhookSecretOf } from "./store-webhooks.js";

/** How the command ends. */
export const exitCodes = { ready: 0, toMend: 1, usage: 2 } as const;

export type ConnectSurroundings = {
  /** Where the findings go. */
  report: (text: string) => void;
  /** Where the entry goes: it holds secrets, so it is separate. */
  print: (text: string) => void;
  askPerson: AskPerson;
  /** Opens an address in the person's browser, where there is one; it is shown in any case. */
  openAddress?: (address: string) => void;
  nowMs?: () => number;
};

/** Runs the command `connect`. @returns its exit code */
export async function connect(
  words: readonly string[],
  { report, print, askPerson, openAddress, nowMs = Date.now }: ConnectSurroundings,
): Promise<number> {
  try {
    const options = await readOptions(words, askPerson, report);
    if (options === null) return exitCodes.ready;
    const { findings, entry } = await setUp(options, nowMs, (address) => {
      report(
        `Sign in (or make a sandbox account, where that is open) and agree here, on this machine:\n\n  ${address}\n\n`,
      );
      openAddress?.(address);
    });
    if (!options.checkOnly && entry !== null) {
      if (options.out === null) print(`${JSON.stringify(entry, null, 2)}\n`);
      else {
        await writeEntry(options.out, entry);
        findings.push(ok(`The store's entry is in ${options.out}: CONNECTOR_STORES is that file's text.`));
      }
    }
    report(reportOf(findings));
    return findings.some(({ state }) => state === "mend") ? exitCodes.toMend : exitCodes.ready;
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof StoresFileError)) throw error;
    report(`${error.message}\nSee --help.\n`);
    return exitCodes.usage;
  }
}

async function setUp(
  options: ConnectOptions,
  nowMs: () => number,
  show: (address: string) => void,
): Promise<{ findings: Finding[]; entry: StoreEntry | null }> {
  const { storeUrl, consumerKey, consumerSecret, connectorUrl, storeId, checkOnly } = options;
  const stores = `${connectorUrl}/v1/stores/${storeId}`;
  const deliveryUrl = `${stores}/store-webhook`;
  const secret = webhookSecretOf(consumerSecret, deliveryUrl);

  const api = openStoreApi({ url: storeUrl, consumerKey, consumerSecret });
  const store = await checkStore(storeUrl, api, nowMs);
  const found = await findKeys(options, store.usable, show);
  if (found.keys === null) return { findings: [...store.findings, ...found.findings], entry: null };
  const { keys, mode } = found;
  const entry = storeEntry(options, mode, keys, secret);
  const accessTo = (which: "sandbox" | "live", pair: { client_id: string; client_secret: string }) => ({
    url: options.tillgateUrl,
    mode: which,
    clientId: pair.client_id,
    clientSecret: pair.client_secret,
  });
  const ofMode = keys[mode];
  if (ofMode === undefined) throw new Error(`The keys have none of ${mode}.`);
  const access = accessTo(mode, ofMode);
  const credential = await checkCredential(access, nowMs);
  const findings = [...store.findings, ...found.findings, ...credential];
  const otherMode = mode === "live" ? "sandbox" : "live";
  const ofOther = keys[otherMode];
  if (ofOther !== undefined) findings.push(await checkOther(accessTo(otherMode, ofOther), nowMs));
  const isClient = credential.every(({ state }) => state !== "mend");
  if (isClient && store.currency !== null)
    findings.push(await checkSettlementCurrency(access, store.currency, checkOnly));

  const connector = await checkConnector(connectorUrl);
  findings.push(connector);
  if (connector.state === "mend") return { findings, entry };
  if (store.usable) findings.push(...(await ensureWebhooks(api, { deliveryUrl, secret, checkOnly })));
  if (isClient) findings.push(await checkWebhook(access, `${stores}/webhook`));
  return { findings, entry };
}

/** The keys that wait for their mode. */
async function checkOther(access: TillgateAccess, nowMs: () => number): Promise<Finding> {
  if (access.mode === "live" && !isLiveAddress(access.url))
    return warn(
      "The live keys are kept, and were not tried: this address of Tillgate is not https.",
      "Give https addresses before you change to live.",
    );
  const [taken] = await checkCredential(access, nowMs);
  return taken;
}

function checkSettlementCurrency(
  access: Parameters<typeof checkCurrency>[0],
  currency: string,
  checkOnly: boolean,
): Promise<Finding> {
  if (!checkOnly) return checkCurrency(access, currency);
  // Only an order shows it, and `--check` makes none.
  return Promise.resolve(
    warn(
      `Whether the merchant holds ${currency} was not tried.`,
      "Run this without --check: it makes an order and cancels it.",
    ),
  );
}

async function checkConnector(connectorUrl: string): Promise<Finding> {
  const answer = await ask(`${connectorUrl}/healthz`);
  if (answer.status === 200 && !answer.isPage) return ok(`The connector runs at ${connectorUrl}.`);
  const why = answer.status === null ? answer.reason : `HTTP ${answer.status}`;
  return fix(
    `The connector does not answer at ${connectorUrl}: ${why}.`,
    "Start it with the store's entry in CONNECTOR_STORES, then run this again.",
  );
}
