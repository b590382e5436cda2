import type { GetServerSideProps } from "next";
import { activityPage, homePage, receiptPage } from "#steps/wallet/home.ts";
import { convertPage, topUpPage } from "#steps/wallet/money.ts";
import { securityPage } from "#steps/wallet/security.ts";
import { forgotPinPage, newPage, signInPage } from "#steps/wallet/sign-in.ts";
import { createWalletPage, type WalletPage } from "#steps/wallet/wallet-page.ts";
import type { WalletScreenProps } from "#views/wallet/wallet-screen.ts";
import { WalletScreenView } from "#views/wallet/wallet-screen-view.tsx";

export const config = { unstable_runtimeJS: false };

export default WalletScreenView;

const PAGES = new Map<string, WalletPage>([
  ["", homePage],
  ["activity", activityPage],
  ["convert", convertPage],
  ["forgot-pin", forgotPinPage],
  ["new", newPage],
  ["security", securityPage],
  ["sign-in", signInPage],
  ["top-up", topUpPage],
]);

export const getServerSideProps: GetServerSideProps<WalletScreenProps> = async (context) => {
  const [name = "", id, ...rest] = [context.params?.path ?? []].flat();
  const page =
    id === undefined
      ? PAGES.get(name)
      : name === "activity" && rest.length === 0
        ? receiptPage(id)
        : undefined;
  return page === undefined ? { notFound: true } : createWalletPage(page)(context);
};
