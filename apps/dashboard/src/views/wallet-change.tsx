import type { ReactNode } from "react";
import { Button, Confirmation, Form, SecondFactorField, useRefused } from "./form";
import { usePage } from "./use-page";

/** Closes an empty wallet, or opens a closed one again. `of` names it among those of the page. */
export function WalletChange({ of, closed }: { of: string; closed: boolean }): ReactNode {
  const { t } = usePage();
  const refused = useRefused(["wallet-state"], of);
  return (
    <Confirmation label={t("list.change")} open={refused}>
      <Form action="wallet-state" of={of}>
        <p>{t(closed ? "admin.wallet.openText" : "admin.wallet.closeText")}</p>
        <SecondFactorField />
        <Button kind={closed ? "main" : "danger"} name="open" value={String(closed)}>
          {t(closed ? "admin.wallet.open" : "admin.wallet.close")}
        </Button>
      </Form>
    </Confirmation>
  );
}
