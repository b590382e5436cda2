import path from "node:path";
import { type Sandbox, sandboxFile } from "./sandbox.js";

type TableOptions = {
  sandbox: Sandbox;
  dataDirectory: string;
  /** Set when the stack listens on the local network. */
  publicHost: string | undefined;
};

/** Returns the summary that `npm start` prints. */
export function describeStack({ sandbox, dataDirectory, publicHost }: TableOptions): string {
  const database = new URL(sandbox.database_url);
  const addresses = [
    ["Demo shop", sandbox.store],
    ["Payment page", sandbox.pay],
    ["Console", sandbox.dashboard],
    ["API", sandbox.api],
    ["Connector", sandbox.connector],
    ["Connector's health", sandbox.connector_health.address],
    ["PostgreSQL", `${database.host}${database.pathname}`],
  ];
  const shoppers = sandbox.shoppers.map((shopper) => [
    shopper.active ? shopper.name : `${shopper.name} (deactivated)`,
    shopper.phone,
    shopper.email,
    shopper.pin,
    shopper.currencies.join(", "),
  ]);
  const merchants = [sandbox.merchant, sandbox.other_merchant].map(
    ({ name, client_id, client_secret, api_token }) => [name, client_id, client_secret, api_token],
  );
  const console = [
    ...[sandbox.administrator, sandbox.second_administrator].map((one) => [
      "Administrator",
      one.email,
      one.password,
    ]),
    ["Merchant user", sandbox.merchant_user.email, sandbox.merchant_user.password],
  ];
  const shop = [
    ["Owner", sandbox.store_owner.password],
    ["Connector's health", sandbox.connector_health.key],
  ];
  return [
    "",
    "Tillgate is running.",
    "",
    ...table(["Service", "Address"], addresses),
    "",
    ...table(["Sandbox shopper", "Phone", "E-mail", "PIN", "Wallets"], shoppers),
    "",
    ...table(["Sandbox merchant", "Client ID", "Client secret", "Partner API token"], merchants),
    "",
    ...table(["Console", "E-mail", "Password"], console),
    "",
    ...table(["Demo shop", "Password"], shop),
    "",
    `Machine-readable: ${displayPath(sandboxFile(dataDirectory))}   Logs: ${displayPath(path.join(dataDirectory, "logs"))}   Mails: ${displayPath(sandbox.mail_folder)}`,
    ...(publicHost === undefined
      ? []
      : [`Warning: anyone on this network can reach these services over plain HTTP at ${publicHost}.`]),
    "Press Ctrl-C to stop everything. Your data is kept.",
    "",
  ].join("\n");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `  ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("   ")}`.trimEnd();
  return [line(head), line(widths.map((width) => "─".repeat(width))), ...rows.map(line)];
}

function displayPath(file: string): string {
  const relative = path.relative(process.cwd(), file);
  return relative.startsWith("..") ? file : relative;
}
