import { readSandboxFile } from "../bootstrap/sandbox-file.mjs";
import { CommandError, merchantOf, parseWords } from "./command.mjs";
import { sandboxActions } from "./sandbox-actions.mjs";
import { TRIGGERS } from "./triggers.mjs";

const list = () =>
  Object.entries(TRIGGERS)
    .map(([name, { about }]) => `  ${name.padEnd(20)}  ${about}\n`)
    .join("");

const HELP = `Makes an event happen in the sandbox that npm start is running.

  npm run trigger -- pos.order.paid
  npm run trigger -- --list

Options:
  --callback-url <address>  where an order's own events go as well
  --merchant <name>         which merchant of the sandbox; default: the first
  --list                    the events

Events:
${list()}`;

const OPTIONS = {
  "callback-url": { type: "string" },
  merchant: { type: "string" },
  list: { type: "boolean" },
};

/** @param {string[]} words what stands behind the `--` */
export async function run(words) {
  const { values, positionals } = parseWords(words, OPTIONS);
  if (values.list) return process.stdout.write(list());
  if (values.help || positionals.length === 0) return process.stdout.write(HELP);
  const [name] = positionals;
  const chosen = Object.hasOwn(TRIGGERS, name) ? TRIGGERS[name] : undefined;
  if (!chosen || positionals.length > 1) throw new CommandError(`Name one event of:\n${list().trimEnd()}`);
  const sandbox = await readSandboxFile("sandbox.json");
  if (!sandbox) throw new CommandError("There is no sandbox yet: run npm start.");
  const actions = sandboxActions(sandbox, merchantOf(sandbox, values.merchant));
  const callback = values["callback-url"];
  const createOrder = (fields = {}) =>
    actions.createOrder({ ...(callback === undefined ? {} : { callback_url: callback }), ...fields });
  const id = await chosen.run({ ...actions, createOrder });
  console.log(`${name}: ${id}`);
}
