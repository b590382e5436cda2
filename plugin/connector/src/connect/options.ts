import { isLiveAddress, trimTrailingSlashes } from "@tillgate/contract";
import {
  baseAddress,
  type Kind,
  oneOf,
  readSettings,
  rulesFor,
  SettingsError,
  type SettingsOf,
  type SettingsTable,
} from "@tillgate/service/settings";
import { Command, CommanderError, Option } from "commander";
import { keyFields, storeFields } from "../store-config.js";

const storeField = (name: "id" | "consumer_key" | "consumer_secret" | "return_url"): Kind<string> => ({
  limit: `a store's ${name}`,
  schema: storeFields.shape[name],
});
const keyField = (name: keyof typeof keyFields.shape): Kind<string> => ({
  limit: `a store's ${name}`,
  schema: keyFields.shape[name],
});

const connectSettings = {
  storeUrl: { name: "The store URL", kind: baseAddress },
  storeId: { name: "--id", kind: storeField("id"), default: "shop" },
  consumerKey: { name: "--consumer-key", kind: storeField("consumer_key") },
  consumerSecret: { name: "--consumer-secret", kind: storeField("consumer_secret"), secret: true },
  clientId: { name: "--client-id", kind: keyField("client_id"), ifUnset: "requested from the console" },
  clientSecret: {
    name: "--client-secret",
    kind: keyField("client_secret"),
    ifUnset: "requested from the console",
    secret: true,
  },
  mode: { name: "--mode", kind: oneOf(["sandbox", "live"]), default: "sandbox" },
  tillgateUrl: { name: "--tillgate-url", kind: baseAddress },
  connectorUrl: { name: "--connector-url", kind: baseAddress },
  returnUrl: { name: "--return-url", kind: storeField("return_url") },
} satisfies SettingsTable;

const rule = rulesFor(connectSettings);
/** Rejects plain HTTP in live mode, as the connector does at startup. */
const rules = (["tillgateUrl", "connectorUrl", "returnUrl"] as const).map((name) =>
  rule(
    [name, "mode"],
    (settings) => settings.mode === "live" && !isLiveAddress(settings[name]) && "must be https in live mode",
  ),
);

/** Listed in the order of the prompts. */
const requiredOptions = [
  {
    flag: "--consumer-key",
    variable: "WOO_CONSUMER_KEY",
    question: "REST API consumer key of the store (ck_…)",
  },
  {
    flag: "--consumer-secret",
    variable: "WOO_CONSUMER_SECRET",
    question: "REST API consumer secret of the store (cs_…)",
  },
  { flag: "--tillgate-url", variable: "TILLGATE_API_URL", question: "URL of the Tillgate API" },
  { flag: "--connector-url", variable: "CONNECTOR_URL", question: "Public URL of the connector" },
];

/** API keys copied from the console. */
const credentialOptions = [
  { flag: "--client-id", variable: "TILLGATE_CLIENT_ID", question: "Tillgate client ID" },
  { flag: "--client-secret", variable: "TILLGATE_CLIENT_SECRET", question: "Tillgate client secret" },
];

export type ConnectOptions = SettingsOf<typeof connectSettings> & {
  isModeGiven: boolean;
  /** Request new keys even if the file has some. */
  again: boolean;
  /** Only check, without creating or changing anything. */
  checkOnly: boolean;
  /** The CONNECTOR_STORES file; if null, the entry is printed. */
  out: string | null;
};

/** The message never contains a secret. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** @returns null if there is no terminal */
export type Prompt = (question: string, isSecret: boolean) => Promise<string | null>;

function createCommand(write: (text: string) => void): Command {
  const command = new Command("tillgate-connect")
    .description(
      "Connects a WooCommerce store to Tillgate. Without a client ID and secret, you approve the connection in the console. Checks keys, currency, clocks and webhooks, creates the store's webhooks, and prints the store's entry for CONNECTOR_STORES. Can be run again at any time.",
    )
    .argument("<store url>", "URL of the store, such as https://shop.example")
    .option("--check", "only check; create and change nothing")
    .option("--id <name>", "ID of the store in the connector", "shop")
    .option("--mode <mode>", "mode of the API key: sandbox or live", "sandbox")
    .option(
      "--return-url <url>",
      "URL the shopper returns to after paying; must contain {order_id} and {order_key}",
    )
    .option("--again", "request new API keys even if the file has some")
    .option("--out <file>", "save the entry in this CONNECTOR_STORES file instead of printing it")
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: () => undefined });
  for (const { flag, variable, question } of [...requiredOptions, ...credentialOptions])
    command.addOption(new Option(`${flag} <text>`, question).env(variable));
  return command;
}

/** Prompts for missing values. @returns null for `--help` @throws UsageError for an invalid or missing option, before anything is sent or saved */
export async function readOptions(
  args: readonly string[],
  prompt: Prompt,
  write: (text: string) => void,
): Promise<ConnectOptions | null> {
  const command = createCommand(write);
  try {
    command.parse([...args], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return null;
    throw new UsageError(error.message.replace(/^error: /, ""));
  }
  const {
    check = false,
    out = null,
    again = false,
  } = command.opts<{
    check?: boolean;
    out?: string;
    again?: boolean;
  }>();
  const isModeGiven = command.getOptionValueSource("mode") === "cli";
  const storeUrl = trimTrailingSlashes(command.args[0] ?? "");
  const values: Record<string, string | undefined> = {
    [connectSettings.storeUrl.name]: storeUrl,
    [connectSettings.returnUrl.name]: `${storeUrl}/checkout/return?order={order_id}&key={order_key}`,
  };
  for (const option of command.options) {
    const value: unknown = command.getOptionValue(option.attributeName());
    if (typeof value === "string") values[option.long ?? ""] = value;
  }
  // If only one of the two is set, the other was forgotten.
  const isPasted = credentialOptions.some(({ flag }) => values[flag]);
  const prompted = isPasted ? [...requiredOptions, ...credentialOptions] : requiredOptions;
  for (const { flag, question } of prompted)
    values[flag] ||= (await prompt(question, flag.endsWith("-secret"))) ?? "";
  const missing = prompted.filter(({ flag }) => !values[flag]);
  if (missing.length > 0)
    throw new UsageError(
      `Missing: ${missing.map(({ flag, variable }) => `${flag} or ${variable}`).join(", ")}.`,
    );
  try {
    return { ...readSettings(connectSettings, values, rules), isModeGiven, again, checkOnly: check, out };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw new UsageError(`${error.message}\nNothing was saved.`);
  }
}
