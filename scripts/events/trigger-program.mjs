import { TEST_CONTROLS } from "@tillgate/contract";
import { readSandboxFile } from "../bootstrap/sandbox-file.mjs";
import { CommandError, merchantOf, parseWords } from "./command.mjs";
import { sandboxActions } from "./sandbox-actions.mjs";
import { TRIGGERS } from "./triggers.mjs";

const list = () =>
  Object.entries(TRIGGERS)
    .map(([name, { about }]) => `  ${name.padEnd(20)}  ${about}\n`)
    .join("");

const HELP = `Makes an event happen in the sandbox that npm start is running, or orders what its next calls,
webhooks, payments or payouts meet.

  npm run trigger -- pos.order.paid
  npm run trigger -- delivery_twice --count 2
  npm run trigger -- --list

Options:
  --count <number>          how many of them meet it; default: 1
  --seconds <number>        how long it holds something up; default: 30
  --callback-url <address>  where an order's own events go as well
  --merchant <name>         which merchant of the sandbox; default: the first
  --list                    the events

Events:
${list()}
On order:
${TEST_CONTROLS.map((name) => `  ${name}\n`).join("")}  clear                 ends all of them
`;

const OPTIONS = {
  "callback-url": { type: "string" },
  count: { type: "string" },
  merchant: { type: "string" },
  seconds: { type: "string" },
  list: { type: "boolean" },
};

/** @param {string[]} words what stands behind the `--` */
export async function run(words) {
  const { values, positionals } = parseWords(words, OPTIONS);
  if (values.list) return process.stdout.write(list());
  if (values.help || positionals.length === 0) return process.stdout.write(HELP);
  const [name] = positionals;
  const chosen = Object.hasOwn(TRIGGERS, name) ? TRIGGERS[name] : undefined;
  const isFault = name === "clear" || TEST_CONTROLS.includes(name);
  if ((!chosen && !isFault) || positionals.length > 1)
    throw new CommandError(`Name one event of:\n${list()}or a fault: see --help.`);
  const sandbox = await readSandboxFile("sandbox.json");
  if (!sandbox) throw new CommandError("No sandbox yet. Run npm start.");
  const actions = sandboxActions(sandbox, merchantOf(sandbox, values.merchant));
  if (isFault) return orderFault(actions.pay.testControls, name, values);
  const callback = values["callback-url"];
  const createOrder = (fields = {}) =>
    actions.createOrder({ ...(callback === undefined ? {} : { callback_url: callback }), ...fields });
  const id = await chosen.run({ ...actions, createOrder });
  console.log(`${name}: ${id}`);
}

/** Orders what the merchant's next calls, webhooks, payments or payouts meet, or ends all. */
async function orderFault(testControls, control, { count = "1", seconds = "30" }) {
  if (control === "clear") return console.log(`${await testControls.clear()} faults were cleared.`);
  const ordered = await testControls.create({ control, count: Number(count), seconds: Number(seconds) });
  console.log(`${control}: ${ordered.control_id}`);
}
