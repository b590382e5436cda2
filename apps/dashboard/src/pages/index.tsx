import { consoleMeResponseSchema, merchantListResponseSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import { merchantPath } from "#paths.ts";
import { consolePage } from "#server/console-page.ts";
import { Frame } from "#views/frame.tsx";
import { Card, Empty } from "#views/parts.tsx";
import { usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Listed = { id: string; name: string };
type Props = {
  own: Listed[];
  /** All merchants; null unless the user is an administrator. */
  all: Listed[] | null;
};

/** Renders the choice of a merchant. A member of a single merchant is redirected to that merchant. */
export default function ChooseMerchantPage({ own, all }: Props): ReactNode {
  const { t } = usePage();
  return (
    <Frame title={t("choose.title")} narrow>
      {own.length > 0 ? <Choices merchants={own} /> : null}
      {own.length === 0 && all === null ? (
        <Empty title={t("choose.none")}>
          <p>{t("choose.noneText")}</p>
        </Empty>
      ) : null}
      {all === null ? null : <Choices merchants={all} title={t("choose.administrator")} />}
    </Frame>
  );
}

function Choices({ merchants, title }: { merchants: readonly Listed[]; title?: string }): ReactNode {
  return (
    <Card {...(title === undefined ? {} : { title })}>
      <ul className="choices">
        {merchants.map(({ id, name }) => (
          <li key={id}>
            <a href={merchantPath(id, "sandbox")}>{name}</a>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const listed = ({ merchant_id: id, name }: { merchant_id: string; name: string }): Listed => ({ id, name });

export const getServerSideProps = consolePage<Props>({
  load: async ({ read }) => {
    const { user, merchants } = await read("/me", consoleMeResponseSchema);
    const all =
      user.role === "administrator"
        ? await read("/administration/merchants", merchantListResponseSchema)
        : null;
    return { own: merchants.map(listed), all: all?.merchants.map(listed) ?? null };
  },
  redirectTo: ({ query }, { own, all }) => {
    const [only, ...others] = own;
    const leads = all === null && others.length === 0 && query("choose") === undefined;
    return only && leads ? merchantPath(only.id, "sandbox") : null;
  },
});
