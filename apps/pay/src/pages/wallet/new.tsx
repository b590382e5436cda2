import { newPage } from "#steps/wallet/sign-in.ts";
import { createWalletPage } from "#steps/wallet/wallet-page.ts";
import { WalletScreenView } from "#views/wallet/wallet-screen-view.tsx";

export const config = { unstable_runtimeJS: false };

export default WalletScreenView;

export const getServerSideProps = createWalletPage(newPage);
