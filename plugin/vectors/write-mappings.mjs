import { readFileSync, writeFileSync } from "node:fs";

/**
 * Writes mappings.json from ../rules/transitions.json: the decision for every situation, as complete rows that do not
 * overlap. Run it after a change of the rules and review the diff.
 */
const rules = JSON.parse(readFileSync(new URL("../rules/transitions.json", import.meta.url), "utf8"));
const target = new URL("mappings.json", import.meta.url);

/** Placeholder values of the notes. `status` is that of the row. */
const fields = {
  amount: "41.50 EUR",
  trx_id: "TRX-000000123456",
  tillgate_order: "POS-20261121-ABC234",
  store_total: "60.00 EUR",
  requested_amount: "45.00 EUR",
  paid_reference: "1002",
  order_number: "1001",
  difference: "the order total is 60.00 EUR",
  refund: "refund RF-20261121-XYZ789 of 5.00 EUR",
  reason: "the order was edited",
  store_refund: "1042",
  result: "5.00 EUR (RF-20261121-XYZ789)",
  event: "pos.order.paid",
  times: "60",
  payment: "payment POS-20261121-ABC234",
};

const names = Object.keys(rules.conditions);
const everything = Object.fromEntries(names.map((name) => [name, rules.conditions[name].values]));

const filled = (template, known) =>
  template.replaceAll(/\{(\w+)\}/g, (_all, name) => known[name] ?? "unknown");

function decide(situation) {
  const rule = rules.rules.find(({ when }) =>
    Object.entries(when).every(([name, values]) => values.includes(situation[name])),
  );
  const template = rule.note === undefined ? rules.reasons[rule.reason] : rules.notes[rule.note];
  const text = template === undefined ? null : filled(template, { ...fields, status: situation.status });
  return {
    action: rule.action,
    cancel_current: rule.cancel_current ?? false,
    note: rule.note ?? null,
    reason: rule.reason ?? null,
    text,
  };
}

function* situationsOf(box, [name, ...others] = names) {
  if (name === undefined) yield {};
  else
    for (const value of box[name])
      for (const rest of situationsOf(box, others)) yield { [name]: value, ...rest };
}

const known = new Map();

/** Splits a box (values for each condition) by one condition after the other into the fewest rows. Memoized, because boxes recur. */
function rowsOf(box) {
  const key = JSON.stringify(box);
  const rows = known.get(key) ?? findRows(box);
  known.set(key, rows);
  return rows;
}

function findRows(box) {
  const decisions = new Map();
  for (const situation of situationsOf(box)) {
    const decision = decide(situation);
    decisions.set(JSON.stringify(decision), decision);
  }
  if (decisions.size === 1) return [...decisions.values()].map((decision) => ({ when: box, ...decision }));
  let best;
  for (const name of names.filter((one) => box[one].length > 1)) {
    const rows = splitBy(box, name);
    if (best === undefined || rows.length < best.length) best = rows;
  }
  return best;
}

/** Splits a box into one per value; boxes with the same rows are merged. */
function splitBy(box, name) {
  const alike = new Map();
  for (const value of box[name]) {
    const rows = rowsOf({ ...box, [name]: [value] });
    const shape = JSON.stringify(rows.map((row) => ({ ...row, when: { ...row.when, [name]: [] } })));
    const group = alike.get(shape) ?? { values: [], rows };
    group.values.push(value);
    alike.set(shape, group);
  }
  return [...alike.values()].flatMap(({ values, rows }) =>
    rows.map((row) => ({ ...row, when: { ...row.when, [name]: values } })),
  );
}

/** Omits conditions that have no influence on a row. */
const short = ({ when, ...decision }) => ({
  when: Object.fromEntries(
    Object.entries(when).filter(([name, values]) => values.length < everything[name].length),
  ),
  ...decision,
});

const cases = everything.event
  .flatMap((event) => splitBy({ ...everything, event: [event] }, "status"))
  .map(short);
const textsOf = (templates) =>
  Object.fromEntries(
    Object.entries(templates).map(([name, text]) => [
      name,
      filled(text, { ...fields, status: "processing" }),
    ]),
  );
const [notes, phrases, differences, reasons] = [
  rules.notes,
  rules.phrases,
  rules.differences,
  rules.reasons,
].map(textsOf);
writeFileSync(
  target,
  `${JSON.stringify({ fields, notes, phrases, differences, reasons, cases }, null, 2)}\n`,
);
console.log(`Wrote ${cases.length} rows to mappings.json.`);
