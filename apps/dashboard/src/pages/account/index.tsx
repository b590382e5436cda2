import {
  consoleDoneResponseSchema,
  consoleRecoveryCodesResponseSchema,
  consoleRevokedResponseSchema,
  consoleSessionListResponseSchema,
  isTimeZone,
} from "@tillgate/contract";
import { getBrowserName } from "@tillgate/service/web/visitor";
import type { ReactNode } from "react";
import type { z } from "zod";
import { joinPath, localPath, withNext } from "#paths.ts";
import { consolePage } from "#server/console-page.ts";
import { rejectField, requiredField, requiredFields } from "#server/forms.ts";
import { done } from "#server/request.ts";
import { timeZones, zoneText } from "#texts/formats.ts";
import { Button, ConfirmedForm, Field, Form, SecondFactorField, Select } from "#views/form.tsx";
import { Frame } from "#views/frame.tsx";
import { Badge, Card, Code, Facts, Table, Time } from "#views/parts.tsx";
import { usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Props = z.infer<typeof consoleSessionListResponseSchema>["data"] & {
  /** The page that required a second factor; the user can continue there. */
  next: string | null;
};

export default function AccountPage({ sessions, next }: Props): ReactNode {
  const { page, t } = usePage();
  const { user, secret } = page;
  return (
    <Frame title={t("account.title")} back={{ href: "/", text: t("nav.home") }}>
      {secret?.kind === "recovery" ? <RecoveryCodes codes={secret.codes} /> : null}
      <ContinueLink next={next} />
      <Card>
        <Facts rows={[[t("field.email"), user?.email]]} />
        <ChangePassword />
        <TimeZone />
      </Card>
      <SecondFactorCard next={next} />
      <Card
        title={t("account.sessions")}
        tools={
          sessions.length > 1 ? (
            <Form action="revoke-others" className="inline">
              <Button kind="quiet">{t("account.signOutOthers")}</Button>
            </Form>
          ) : null
        }
      >
        <Table
          caption={t("account.sessions")}
          rows={sessions}
          keyOf={({ session_id }) => session_id}
          columns={[
            {
              title: t("account.browser"),
              cell: ({ browser }) => getBrowserName(browser) ?? t("account.unknownBrowser"),
            },
            { title: t("account.network"), cell: ({ client_network }) => client_network },
            { title: t("account.lastSeen"), cell: ({ last_seen_at }) => <Time at={last_seen_at} /> },
            {
              title: t("list.actions"),
              cell: ({ session_id, current }) =>
                current ? (
                  <span className="soft">{t("account.thisOne")}</span>
                ) : (
                  <Form action="revoke" of={session_id} className="inline">
                    <Button kind="link">{t("frame.signOut")}</Button>
                  </Form>
                ),
            },
          ]}
        />
      </Card>
    </Frame>
  );
}

function ChangePassword(): ReactNode {
  const { page, t } = usePage();
  return (
    <ConfirmedForm label={t("account.changePassword")} testId="change-password" action="change-password">
      <Field
        name="password"
        type="password"
        label={t("account.oldPassword")}
        autoComplete="current-password"
      />
      <Field
        name="new_password"
        type="password"
        label={t("field.newPassword")}
        hint={t("field.newPasswordHint")}
        autoComplete="new-password"
      />
      {page.user?.totp || page.user?.passkeys.length ? <SecondFactorField /> : null}
      <Button>{t("account.changePassword")}</Button>
    </ConfirmedForm>
  );
}

function TimeZone(): ReactNode {
  const { page, t } = usePage();
  const zones = timeZones().map((name) => ({ value: name, text: zoneText(name) }));
  return (
    <Form action="time-zone">
      <Select
        name="time_zone"
        label={t("account.timeZone")}
        hint={t("account.timeZoneHint", { zone: zoneText(page.timeZone) })}
        value={page.timeZoneChosen ? page.timeZone : ""}
        empty={t("account.timeZoneOfBrowser")}
        choices={zones}
      />
      <div className="tools">
        <Button kind="quiet">{t("form.save")}</Button>
      </div>
    </Form>
  );
}

function RecoveryCodes({ codes }: { codes: string[] }): ReactNode {
  const { t } = usePage();
  return (
    <Card title={t("recovery.title")} testId="recovery-codes">
      <p>{t("recovery.text")}</p>
      <Code id="recovery-codes-text" text={codes.join("\n")} />
    </Card>
  );
}

function ContinueLink({ next }: { next: string | null }): ReactNode {
  const { page, t } = usePage();
  const has = page.user?.totp || page.user?.passkeys.length;
  return next !== null && has ? (
    <p>
      <a className="button main" href={next} data-testid="go-on">
        {t("account.continue")}
      </a>
    </p>
  ) : null;
}

function SecondFactorCard({ next }: { next: string | null }): ReactNode {
  const { page, t } = usePage();
  const { totp = false, passkeys = [], recoveryCodesLeft = 0 } = page.user ?? {};
  const hasNone = !totp && passkeys.length === 0;
  return (
    <Card
      id="second-factor"
      title={t("factor.card")}
      tools={hasNone ? null : <Badge status="active" />}
      testId="second-factor"
    >
      <p>{t(hasNone ? "factor.why" : "factor.on", { codes: recoveryCodesLeft })}</p>
      <Facts
        rows={[
          [t("factor.app"), totp ? t("factor.appOn") : null],
          [t("passkey.title"), passkeys.map(({ name }) => name).join(", ")],
        ]}
      />
      <div className="tools">
        <a
          className={`button ${hasNone ? "main" : "quiet"}`}
          href={withNext("/account/passkeys", next)}
          data-testid="passkeys"
        >
          {t(passkeys.length > 0 ? "passkey.manage" : "passkey.add")}
        </a>
        {totp ? (
          <ConfirmedForm label={t("factor.turnOff")} danger testId="turn-off" action="turn-off">
            <p>{t(passkeys.length > 0 ? "factor.turnOffTextPasskeys" : "factor.turnOffText")}</p>
            <SecondFactorField />
            <Button kind="danger">{t("factor.turnOff")}</Button>
          </ConfirmedForm>
        ) : (
          <a
            className="button quiet"
            href={withNext("/account/authenticator", next)}
            data-testid="set-up-factor"
          >
            {t("factor.setUp")}
          </a>
        )}
        {hasNone ? null : (
          <ConfirmedForm label={t("factor.renew")} action="renew">
            <p>{t("factor.renewText")}</p>
            <SecondFactorField />
            <Button>{t("factor.renew")}</Button>
          </ConfirmedForm>
        )}
      </div>
    </Card>
  );
}

export const getServerSideProps = consolePage<Props>({
  load: async ({ read, query }) => ({
    ...(await read("/sessions", consoleSessionListResponseSchema)),
    next: localPath(query("next")),
  }),
  actions: {
    "time-zone": async (_request, form) => {
      const timeZone = form.get("time_zone") ?? "";
      if (timeZone !== "" && !isTimeZone(timeZone)) rejectField("time_zone", "error.choose");
      return { ...done("/account", "form.saved"), timeZone: timeZone || null };
    },
    "change-password": async ({ change }, form) => {
      await change("/password", consoleDoneResponseSchema, requiredFields(form, "password", "new_password"));
      return done("/account", "account.passwordChanged");
    },
    revoke: async ({ change }, form) => {
      const path = joinPath("sessions", requiredField(form, "of"), "revoke");
      await change(path, consoleRevokedResponseSchema);
      return done("/account", "account.revoked", { count: 1 });
    },
    "revoke-others": async ({ change }) => {
      const { revoked } = await change("/sessions/revoke-others", consoleRevokedResponseSchema);
      return done("/account", "account.revoked", { count: revoked });
    },
    renew: async ({ change }) => {
      const { recovery_codes: codes } = await change(
        "/second-factor/recovery-codes",
        consoleRecoveryCodesResponseSchema,
      );
      return { to: "/account", flash: { secret: { kind: "recovery", codes } } };
    },
    "turn-off": async ({ change }) => {
      await change("/second-factor/totp/turn-off", consoleDoneResponseSchema);
      return done("/account", "factor.isOff");
    },
  },
});
