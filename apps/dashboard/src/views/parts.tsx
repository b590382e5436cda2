import type { ConsoleMoney } from "@tillgate/contract";
import { Fragment, type ReactNode } from "react";
import { textOfCase } from "#texts/texts.ts";
import { usePage } from "./use-page";

export function Money({ money, sign }: { money: ConsoleMoney; sign?: boolean }): ReactNode {
  const { f } = usePage();
  const text = f.money(money);
  return <span className="sum">{sign && !money.amount.startsWith("-") ? `+${text}` : text}</span>;
}

export function Time({ at, exact }: { at: string; exact?: boolean }): ReactNode {
  const { f } = usePage();
  return <time dateTime={at}>{exact ? f.time(at) : f.minute(at)}</time>;
}

/** Renders an end time and the time left, which the script counts down. */
export function EndTime({ at }: { at: string }): ReactNode {
  return (
    <>
      <Time at={at} /> <time className="with-script" dateTime={at} data-ends="" />
    </>
  );
}

const TONES: Readonly<Record<string, string>> = {
  PAID: "good",
  COMPLETED: "good",
  SUCCESS: "good",
  active: "good",
  "in effect": "good",
  future: "late",
  suspended: "bad",
  failing: "bad",
  delivered: "good",
  completed: "good",
  finished: "good",
  PARTLY_REFUNDED: "good",
  REFUNDED: "plain",
  PENDING: "late",
  REFUND_PENDING: "late",
  PROCESSING: "late",
  pending: "late",
  queued: "late",
  running: "late",
  stopped: "bad",
  checking: "late",
  ready: "late",
  paying: "late",
  held: "late",
  rotated_out: "late",
  paused: "late",
  FAILED: "bad",
  REJECTED: "bad",
  failed: "bad",
  rejected: "bad",
  disabled: "bad",
  revoked: "bad",
};

/** Renders a status label, whose meaning does not depend on the colour. */
export function Badge({ status }: { status: string }): ReactNode {
  const { t } = usePage();
  return (
    <span className={`badge ${TONES[status] ?? "plain"}`} data-status={status}>
      {textOfCase(t, "status", status)}
    </span>
  );
}

/** Renders a list of names and values, and omits rows without a value. */
export function Facts({ rows }: { rows: readonly (readonly [string, ReactNode])[] }): ReactNode {
  return (
    <dl className="facts">
      {rows
        .filter(([, value]) => value !== null && value !== undefined && value !== "")
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

export function Card({
  title,
  children,
  id,
  testId,
  tools,
}: {
  title?: ReactNode;
  children: ReactNode;
  id?: string;
  testId?: string;
  tools?: ReactNode;
}): ReactNode {
  return (
    <section className="card" id={id} data-testid={testId}>
      {title ? (
        <div className="head">
          <h2>{title}</h2>
          {tools}
        </div>
      ) : null}
      {children}
    </section>
  );
}

export function Empty({ title, children }: { title: string; children?: ReactNode }): ReactNode {
  return (
    <div className="empty" data-testid="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

type CodeProps = {
  id: string;
  text: string;
  label?: string;
  /** Scrolls long lines instead of wrapping them. */
  unwrapped?: boolean;
};

/** Renders a text with a copy button. Without scripts, one tap selects the text. */
export function Code({ id, text, label, unwrapped }: CodeProps): ReactNode {
  const { t } = usePage();
  return (
    <div className="code">
      {label ? <span className="soft">{label}</span> : null}
      <pre id={id} {...(unwrapped ? { className: "unwrapped", tabIndex: 0 } : {})}>
        {text}
      </pre>
      <button
        type="button"
        className="button quiet with-script"
        data-copy={id}
        data-copied={t("code.copied")}
        data-failed={t("code.failed")}
      >
        {t("code.copy")}
      </button>
    </div>
  );
}

/** Renders a URL or path that wraps after a slash rather than within a word. */
export function Slashes({ text }: { text: string }): ReactNode {
  return text.split(/(?<=\/)(?!\/)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: The parts never move.
    <Fragment key={index}>
      {index > 0 ? <wbr /> : null}
      {part}
    </Fragment>
  ));
}

export type Column<Row> = {
  title: string;
  cell: (row: Row) => ReactNode;
  /** Right-aligned numbers. */
  number?: boolean;
  /** Text whose words are not broken to narrow the column. */
  words?: boolean;
  /** Leaves room for a URL. */
  wide?: boolean;
  /** Link that sorts by this column, and the current sort order. */
  sorting?: { href: string; now?: "ascending" | "descending" };
};

/** Renders a table that becomes cards on a phone. The first column identifies the row. */
export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
}: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}): ReactNode {
  return (
    <table className="table">
      <caption className="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ title, number, sorting }) => (
            <th key={title} scope="col" className={number ? "number" : undefined} aria-sort={sorting?.now}>
              {sorting ? (
                <a className="sort" href={sorting.href}>
                  {title}
                  {sorting.now ? (
                    <span aria-hidden="true">{sorting.now === "ascending" ? " ↑" : " ↓"}</span>
                  ) : null}
                </a>
              ) : (
                title
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} data-row={keyOf(row)}>
            {columns.map(({ title, cell, number, words, wide }, index) =>
              index === 0 ? (
                <th key={title} scope="row" className={wide ? "wide" : words ? "whole" : undefined}>
                  {cell(row)}
                </th>
              ) : (
                <td
                  key={title}
                  data-title={title}
                  className={number ? "number" : words ? "whole" : undefined}
                >
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Replaces the cursor in the URL of a list. */
export function withCursor(address: string, name: "before" | "after", cursor: string): string {
  const [path = "", query] = address.split("?");
  const parameters = new URLSearchParams(query);
  for (const old of ["before", "after"]) parameters.delete(old);
  parameters.set(name, cursor);
  return `${path}?${parameters}`;
}

/** Renders links to the next and previous pages. Set `sorted` if the list is not in newest-first order. */
export function Pages({
  next,
  previous,
  sorted = false,
}: {
  next: string | null;
  previous?: string | null;
  sorted?: boolean;
}): ReactNode {
  const { page, t } = usePage();
  if (next === null && !previous) return null;
  const address = (name: "before" | "after", cursor: string) => withCursor(page.path, name, cursor);
  return (
    <nav className="pages" aria-label={t("list.pages")}>
      {previous ? (
        <a className="button quiet" rel="prev" href={address("after", previous)}>
          ← {t(sorted ? "list.before" : "list.newer")}
        </a>
      ) : null}
      {next === null ? null : (
        <a className="button quiet" rel="next" href={address("before", next)}>
          {t(sorted ? "list.behind" : "list.older")} →
        </a>
      )}
    </nav>
  );
}
