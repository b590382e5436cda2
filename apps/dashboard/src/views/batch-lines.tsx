import { type BatchLineState, batchLineStateSchema, type ConsoleBatchLine } from "@tillgate/contract";
import type { ReactNode } from "react";
import { textOfCase } from "#texts/texts.ts";
import { Badge, Card, Empty, Money, Table } from "./parts";
import { useMerchantPage, usePage } from "./use-page";

export type BatchLinesProps = {
  lines: ConsoleBatchLine[];
  next: string | null;
  /** State of the shown lines; null shows all lines. */
  state: BatchLineState | null;
};
type Props = BatchLinesProps & { counts: Partial<Record<BatchLineState, number>>; path: string };

export function BatchLines({ lines, next, state, counts, path }: Props): ReactNode {
  const { t, f } = usePage();
  const isFiltered = state === null ? "" : `state=${state}&`;
  return (
    <Card title={t("batch.lines")}>
      <nav className="states" aria-label={t("batch.filter")}>
        <a href={path} aria-current={state === null ? "true" : undefined}>
          {t("list.allFeminine")}
        </a>
        {batchLineStateSchema.options
          .filter((status) => counts[status])
          .map((status) => (
            <a
              key={status}
              href={`${path}?state=${status}`}
              aria-current={status === state ? "true" : undefined}
            >
              {textOfCase(t, "status", status)} ({f.number(counts[status] ?? 0)})
            </a>
          ))}
      </nav>
      {lines.length === 0 ? <Empty title={t("batch.noLines")} /> : <LineTable lines={lines} />}
      {next === null ? null : (
        <p>
          <a className="button quiet" rel="next" href={`${path}?${isFiltered}after=${next}`}>
            {t("list.behind")} →
          </a>
        </p>
      )}
    </Card>
  );
}

function LineTable({ lines }: { lines: ConsoleBatchLine[] }): ReactNode {
  const { t, to: path } = useMerchantPage();
  const to = (...parts: string[]) => path("payouts", ...parts);
  return (
    <Table
      caption={t("batch.lines")}
      rows={lines}
      keyOf={({ line }) => String(line)}
      columns={[
        {
          title: t("batch.id"),
          cell: ({ id, line, payout_id }) => (
            <>
              {payout_id === null ? id : <a href={to(payout_id)}>{id}</a>}
              <small className="id">{t("batch.line", { line })}</small>
            </>
          ),
        },
        {
          title: t("payout.recipient"),
          cell: ({ recipient, recipient_name, same_as }) => (
            <span>
              {recipient_name ?? recipient}
              {recipient_name === null ? null : <small className="id">{recipient}</small>}
              {same_as === null ? null : (
                <small className="warns">
                  {t("batch.sameAs", { line: same_as.line, name: same_as.name })}
                </small>
              )}
            </span>
          ),
        },
        { title: t("list.amount"), cell: ({ money }) => <Money money={money} />, number: true },
        {
          title: t("payout.fee"),
          cell: ({ fee }) => (fee === null ? "–" : <Money money={fee} />),
          number: true,
        },
        {
          title: t("payout.received"),
          cell: ({ received }) => (received === null ? "–" : <Money money={received} />),
          number: true,
        },
        {
          title: t("list.status"),
          cell: ({ state, failure }) => (
            <span>
              <Badge status={state} />
              {failure === null ? null : (
                <small className="warns">{textOfCase(t, "apiError", failure)}</small>
              )}
            </span>
          ),
        },
      ]}
    />
  );
}
