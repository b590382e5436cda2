import {
  type BatchLineState,
  batchChangedResponseSchema,
  batchLineStateSchema,
  batchLinesResponseSchema,
  batchResponseSchema,
  hasRight,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { consolePage } from "#server/console-page.ts";
import { requiredField } from "#server/forms.ts";
import { done } from "#server/request.ts";
import { BatchLines, type BatchLinesProps } from "#views/batch-lines.tsx";
import { Following } from "#views/following.tsx";
import { Button, Form, SecondFactorField } from "#views/form.tsx";
import { Frame } from "#views/frame.tsx";
import { Badge, Card, Facts, Money, Table, Time } from "#views/parts.tsx";
import { useMerchantPage, usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Batch = z.infer<typeof batchResponseSchema>["data"];
type Props = { batch: Batch; list: BatchLinesProps };

const isInProgress = ({ state }: Batch): boolean => state === "checking" || state === "paying";

export default function BatchPage({ batch, list }: Props): ReactNode {
  const { t, merchant, to } = useMerchantPage();
  const toBatches = (...parts: string[]) => to("payouts", "batches", ...parts);
  const pays = hasRight(merchant.role, "payouts.create");
  const lines = <BatchLines {...list} counts={batch.counts} path={toBatches(batch.batch_id)} />;
  return (
    <Frame
      title={batch.name}
      back={{ href: toBatches(), text: t("batch.byFile") }}
      tools={<Badge status={batch.state} />}
    >
      {isInProgress(batch) ? (
        <Following>
          <Progress batch={batch} />
          {lines}
        </Following>
      ) : (
        <>
          {pays && batch.state === "ready" ? <Confirm batch={batch} /> : null}
          {pays && batch.state === "finished" && batch.counts.failed ? <Again batch={batch} /> : null}
          <Card>
            <Facts
              rows={[
                [t("batch.by"), batch.created_by],
                [t("list.created"), <Time key="at" at={batch.created_at} />],
                [t("batch.confirmedBy"), batch.confirmed_by],
              ]}
            />
            <p>
              {t("batch.result")}{" "}
              <a href={`${toBatches(batch.batch_id)}/result.csv`} download>
                {t("export.comma")}
              </a>{" "}
              <a href={`${toBatches(batch.batch_id)}/result.csv?dialect=semicolon`} download>
                {t("export.semicolon")}
              </a>
            </p>
          </Card>
          {lines}
        </>
      )}
    </Frame>
  );
}

const countLines = ({ counts }: Batch, ...states: BatchLineState[]): number =>
  states.reduce((sum, state) => sum + (counts[state] ?? 0), 0);

function Progress({ batch }: { batch: Batch }): ReactNode {
  const { t, f } = usePage();
  const { lines, state } = batch;
  const done = lines - countLines(batch, state === "paying" ? "paying" : "checking");
  const text = t(state === "paying" ? "batch.paying" : "batch.checking", {
    done: f.number(done),
    lines: f.number(lines),
  });
  return (
    <Card testId="progress">
      <p id="progress-text">{text}</p>
      <progress value={done} max={lines} aria-labelledby="progress-text" />
    </Card>
  );
}

function Confirm({ batch }: { batch: Batch }): ReactNode {
  const { t, f, merchant } = useMerchantPage();
  const mode = t(`mode.${merchant.mode}`);
  const lines = countLines(batch, "ready");
  const failed = countLines(batch, "failed");
  return (
    <Card title={t("batch.price")} testId="price">
      <Table
        caption={t("batch.price")}
        rows={batch.totals}
        keyOf={({ money }) => money.currency}
        columns={[
          { title: t("filter.currency"), cell: ({ money }) => money.currency },
          { title: t("batch.lines"), cell: ({ lines: count }) => f.number(count), number: true },
          { title: t("list.amount"), cell: ({ money }) => <Money money={money} />, number: true },
          { title: t("payout.fee"), cell: ({ fee }) => <Money money={fee} />, number: true },
          {
            title: t("payout.total"),
            cell: ({ total }) => (
              <strong>
                <Money money={total} />
              </strong>
            ),
            number: true,
          },
          {
            title: t("batch.wallet"),
            cell: ({ wallet }) => (wallet === null ? "–" : <Money money={wallet} />),
            number: true,
          },
        ]}
      />
      {batch.totals
        .filter(({ enough }) => !enough)
        .map(({ money: { currency } }) => (
          <p className="box bad" key={currency}>
            {t("batch.notEnough", { currency })}
          </p>
        ))}
      {batch.repeats > 0 ? <p className="box note">{t("batch.repeats", { lines: batch.repeats })}</p> : null}
      <Form action="confirm" confirm={t("batch.confirm", { mode })}>
        <input type="hidden" name="round" value={batch.round} />
        <SecondFactorField />
        <div className="tools">
          <Button testId="pay-batch">{t("batch.pay", { lines, mode })}</Button>
        </div>
      </Form>
      <div className="tools">
        {failed > 0 ? <AgainForm failed={failed} /> : null}
        {batch.confirmed_at === null ? (
          <Form action="discard" className="inline" confirm={t("batch.discardConfirm")}>
            <Button kind="quiet">{t("batch.discard")}</Button>
          </Form>
        ) : null}
      </div>
    </Card>
  );
}

function Again({ batch }: { batch: Batch }): ReactNode {
  const { t } = usePage();
  return (
    <Card>
      <p>{t("batch.againText")}</p>
      <AgainForm failed={countLines(batch, "failed")} />
    </Card>
  );
}

function AgainForm({ failed }: { failed: number }): ReactNode {
  const { t } = usePage();
  return (
    <Form action="again" className="form">
      <SecondFactorField />
      <div className="tools">
        <Button kind="quiet" testId="again">
          {t("batch.again", { lines: failed })}
        </Button>
      </div>
    </Form>
  );
}

export const getServerSideProps = consolePage<Props>({
  load: async ({ read, apiPath, part, query }) => {
    const path = apiPath("payouts", "batches", part("id"));
    const state = batchLineStateSchema.safeParse(query("state")).data ?? null;
    const [batch, list] = await Promise.all([
      read(path, batchResponseSchema),
      read(`${path}/lines`, batchLinesResponseSchema, {
        state: state ?? undefined,
        after: query("after"),
      }),
    ]);
    return { batch, list: { ...list, state } };
  },
  actions: {
    confirm: async ({ change, apiPath, part, consolePath }, form) => {
      const { lines } = await change(
        apiPath("payouts", "batches", part("id"), "confirm"),
        batchChangedResponseSchema,
        { round: Number(requiredField(form, "round")) },
      );
      return done(consolePath("payouts", "batches", part("id")), "batch.confirmed", { lines });
    },
    again: async ({ change, apiPath, part, consolePath }) => {
      await change(apiPath("payouts", "batches", part("id"), "again"), batchChangedResponseSchema);
      return done(consolePath("payouts", "batches", part("id")), "batch.checkedAgain");
    },
    discard: async ({ change, apiPath, part, consolePath }) => {
      await change(apiPath("payouts", "batches", part("id"), "discard"), batchChangedResponseSchema);
      return done(consolePath("payouts", "batches", part("id")), "batch.discarded");
    },
  },
});
