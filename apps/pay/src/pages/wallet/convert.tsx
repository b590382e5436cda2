import { convertPage } from "../../steps/wallet/money";
import { walletPage } from "../../steps/wallet/wallet-page";
import { WalletScreenView } from "../../views/wallet/wallet-screen-view";

export const config = { unstable_runtimeJS: false };

export default WalletScreenView;

export const getServerSideProps = walletPage(convertPage);
