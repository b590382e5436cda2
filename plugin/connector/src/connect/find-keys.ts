import { isLiveAddress } from "@tillgate/contract";
import { connectByConsole } from "./by-console.js";
import { type Finding, fail, ok } from "./finding.js";
import { type ConnectOptions, UsageError } from "./options.js";
import { type Mode, readStoredKeys, type TillgateKeys } from "./store-entry.js";

export type KeysResult =
  | { mode: Mode; keys: TillgateKeys; findings: Finding[] }
  | { keys: null; findings: Finding[] };

/**
 * Returns the API keys in the options or the file, or gets new ones through the console.
 * @param canConnect false to skip the console, because the store itself must be fixed first
 * @returns `keys: null` if there are no keys; `findings` then says why, unless the console was skipped
 * @throws UsageError, StoresFileError
 */
export async function findKeys(
  options: ConnectOptions,
  canConnect: boolean,
  show: (address: string) => void,
): Promise<KeysResult> {
  const { clientId, clientSecret, mode, out } = options;
  if (clientId !== undefined && clientSecret !== undefined) {
    const pasted = { client_id: clientId, client_secret: clientSecret };
    return { mode, keys: { [mode]: pasted, isPasted: true }, findings: [] };
  }
  // Always read, so that an unusable file is found before the user approves anything.
  const stored = out === null ? null : await readStoredKeys(out, options.storeId);
  if (stored !== null && !options.again) {
    const wanted = options.isModeGiven ? mode : stored.mode;
    return selectMode(
      options,
      wanted,
      stored.keys,
      `Using the API keys in ${out}; --again requests new ones.`,
    );
  }
  if (options.checkOnly)
    throw new UsageError(
      "--check doesn't create API keys: set --client-id and --client-secret, or set --out to a file that contains keys and omit --again.",
    );
  if (!canConnect) return { keys: null, findings: [] };
  const { host } = new URL(options.storeUrl);
  const connected = await connectByConsole({
    tillgateUrl: options.tillgateUrl,
    shopName: host,
    shopUrl: options.storeUrl,
    show,
  });
  if ("finding" in connected) return { keys: null, findings: [connected.finding] };
  const { merchant_name, sandbox, live } = connected.keys;
  const modes = live === null ? "sandbox" : "sandbox and live";
  return selectMode(
    options,
    mode,
    { sandbox, live: live ?? undefined, isPasted: false },
    `Connected to ${merchant_name}: received ${modes} keys.`,
  );
}

/** Falls back to the other mode if the wanted mode has no keys. @throws UsageError if the mode is live and a URL uses plain HTTP */
function selectMode(options: ConnectOptions, wanted: Mode, keys: TillgateKeys, message: string): KeysResult {
  const other = wanted === "live" ? "sandbox" : "live";
  const mode = keys[wanted] === undefined ? other : wanted;
  rejectPlainHttp(options, mode);
  if (mode === wanted) return { mode, keys, findings: [ok(message)] };
  const missing = fail(
    `No ${wanted} keys found, so the store stays in ${mode} mode.`,
    "Live keys require HTTPS URLs. Run this command with --again, or set --client-id and --client-secret.",
  );
  return { mode, keys, findings: [ok(message), missing] };
}

/** Validates the URLs again, because the mode may come from the CONNECTOR_STORES file. @throws UsageError in live mode with plain HTTP */
function rejectPlainHttp(options: ConnectOptions, mode: Mode): void {
  const { tillgateUrl, connectorUrl, returnUrl } = options;
  if (mode === "live" && ![tillgateUrl, connectorUrl, returnUrl].every(isLiveAddress))
    throw new UsageError(
      "The store is in live mode: the Tillgate, connector and return URLs must use HTTPS.",
    );
}
