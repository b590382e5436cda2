import {
  consoleDoneResponseSchema,
  consoleSecondFactorOnResponseSchema,
  passkeyOptionsResponseSchema,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import { joinPath, localPath, withNext } from "#paths.ts";
import { consolePage } from "#server/console-page.ts";
import { rejectField, requiredField, requiredFields } from "#server/forms.ts";
import type { Passkey } from "#server/page.ts";
import { done } from "#server/request.ts";
import { parseCredential } from "#server/take-form.ts";
import { Button, Confirmation, Field, Form, SecondFactorField, useRedisplayed } from "#views/form.tsx";
import { Frame } from "#views/frame.tsx";
import { Card, Empty, Table, Time } from "#views/parts.tsx";
import { PasskeyInput } from "#views/second-factor.tsx";
import { usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

const HERE = "/account/passkeys";

/** Renders a user's passkeys. Adding a passkey takes two steps: the password, then the browser's passkey dialog. */
export default function PasskeysPage(): ReactNode {
  const { page, t } = usePage();
  const { secret, user } = page;
  const passkeys = user?.passkeys ?? [];
  const adding = useRedisplayed(["start", "confirm"]);
  return (
    <Frame title={t("passkey.title")} back={{ href: "/account", text: t("account.title") }}>
      {secret?.kind === "passkey" ? (
        <Card title={secret.name}>
          <p>{t("passkey.create")}</p>
          <Form action="confirm">
            <input type="hidden" name="sealed" value={page.sealed ?? ""} />
            <PasskeyInput name="credential" use="create" options={secret.options} />
            <p className="without-script">{t("passkey.needsScript")}</p>
            <div className="tools">
              <Button testId="create-passkey">{t("passkey.createButton")}</Button>
              <a className="button quiet" href={HERE}>
                {t("passkey.notNow")}
              </a>
            </div>
          </Form>
        </Card>
      ) : (
        <Confirmation label={t("passkey.add")} open={adding || passkeys.length === 0} testId="add-passkey">
          <Form action="start">
            <p>{t("passkey.why")}</p>
            <Field name="name" label={t("passkey.name")} hint={t("passkey.nameHint")} />
            <Field
              name="password"
              type="password"
              label={t("field.password")}
              hint={t("factor.passwordFirst")}
              autoComplete="current-password"
            />
            {user?.totp || passkeys.length > 0 ? <SecondFactorField /> : null}
            <Button testId="start-passkey">{t("factor.start")}</Button>
          </Form>
        </Confirmation>
      )}
      {passkeys.length === 0 ? (
        <Empty title={t("passkey.none")} />
      ) : (
        <Card>
          <Table
            caption={t("passkey.title")}
            rows={passkeys}
            keyOf={({ passkey_id }) => passkey_id}
            columns={[
              { title: t("passkey.name"), cell: ({ name }) => name },
              {
                title: t("passkey.lastUsed"),
                cell: ({ last_used_at: at }) => (at === null ? t("list.never") : <Time at={at} />),
              },
              { title: t("list.created"), cell: ({ created_at }) => <Time at={created_at} /> },
              { title: t("list.actions"), cell: (passkey) => <ChangePasskey passkey={passkey} /> },
            ]}
          />
        </Card>
      )}
    </Frame>
  );
}

function ChangePasskey({ passkey: { passkey_id, name } }: { passkey: Passkey }): ReactNode {
  const { page, t } = usePage();
  const wasRedisplayed = useRedisplayed(["rename", "remove"], passkey_id);
  const last = page.user?.passkeys.length === 1 && !page.user.totp;
  return (
    <Confirmation label={t("list.change")} open={wasRedisplayed}>
      <Form action="rename" of={passkey_id}>
        <Field name="name" label={t("passkey.name")} value={name} />
        <Button kind="quiet">{t("form.save")}</Button>
      </Form>
      <Form action="remove" of={passkey_id}>
        <p>{t(last ? "factor.turnOffText" : "passkey.removeText")}</p>
        <SecondFactorField />
        <Button kind="danger">{t("passkey.remove")}</Button>
      </Form>
    </Confirmation>
  );
}

export const getServerSideProps = consolePage({
  load: async () => ({}),
  actions: {
    start: async ({ change, query }, form) => {
      const { name, password } = requiredFields(form, "name", "password");
      const { options } = await change("/second-factor/passkeys/start", passkeyOptionsResponseSchema, {
        password,
      });
      return {
        to: withNext(HERE, localPath(query("next"))),
        flash: { secret: { kind: "passkey", name, options: JSON.stringify(options) } },
      };
    },
    confirm: async ({ change, query, unseal: unsealed }, form) => {
      const registration = unsealed(form.get("sealed"));
      if (registration?.kind !== "passkey") return { to: HERE };
      const credential = form.get("credential")
        ? parseCredential(requiredField(form, "credential"), null)
        : rejectField(null, "passkey.needsScript");
      const { session, recovery_codes: codes } = await change(
        "/second-factor/passkeys/confirm",
        consoleSecondFactorOnResponseSchema,
        { name: registration.name, credential },
      );
      // Only the user's first second factor creates recovery codes, which the account page shows.
      const isFirst = codes.length > 0;
      const notice = {
        tone: "good" as const,
        text: isFirst ? ("passkey.firstAdded" as const) : ("passkey.added" as const),
      };
      const secret = isFirst ? { secret: { kind: "recovery" as const, codes } } : {};
      const to = isFirst ? withNext("/account", localPath(query("next"))) : HERE;
      return { to, session, flash: { notice, ...secret } };
    },
    rename: async ({ change }, form) => {
      const path = joinPath("second-factor", "passkeys", requiredField(form, "of"), "rename");
      await change(path, consoleDoneResponseSchema, requiredFields(form, "name"));
      return done(HERE, "form.saved");
    },
    remove: async ({ change }, form) => {
      const path = joinPath("second-factor", "passkeys", requiredField(form, "of"), "remove");
      await change(path, consoleDoneResponseSchema);
      return done(HERE, "passkey.removed");
    },
  },
});
