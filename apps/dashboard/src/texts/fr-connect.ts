import type { enConnect } from "./en-connect";

/** The same in French. */
export const frConnect: Record<keyof typeof enConnect, string> = {
  "connect.title": "Connecter {shop} ?",
  "connect.asks": "{shop} ({host}) demande à encaisser avec votre compte Tillgate.",
  "connect.asksByHost": "{host} demande à encaisser avec votre compte Tillgate.",
  "connect.gives": "Cette boutique reçoit",
  "connect.sandboxKeys": "des identifiants du bac à sable, qui ne déplacent pas d’argent",
  "connect.liveKeys": "des identifiants du mode réel, qui encaissent de vrais paiements et remboursent",
  "connect.noLive":
    "aucun identifiant du mode réel, car elle est sur votre propre machine : ils sont pour les boutiques jointes en https",
  "connect.earlier":
    "Si cette boutique était déjà connectée, ce qu’elle avait fonctionne encore un jour, puis est remplacé.",
  "connect.merchant": "Compte",
  "connect.agree": "Connecter",
  "connect.decline": "Ne pas connecter",
  "connect.check":
    "Ne connectez que si vous venez de votre propre boutique, et si l’adresse ci-dessus est bien la sienne.",
  "connect.notYours": "Vous ne pouvez pas connecter de boutique",
  "connect.notYoursText":
    "Une boutique connectée peut rembourser : un propriétaire du compte la connecte. Demandez à l’un des vôtres, ou connectez-vous comme un autre utilisateur.",
  "connect.bad": "Ce lien n’est pas complet",
  "connect.badText":
    "Ce que la boutique a envoyé est inutilisable : rien n’a été connecté. Revenez à votre boutique et recommencez ; si cela se reproduit, mettez à jour son extension Tillgate.",
  "connect.done": "C’est accepté",
  "connect.doneText": "Votre navigateur revient à {shop}, qui termine alors la connexion.",
  "connect.back": "Revenir à {shop}",
  "connect.gone": "Vous avez terminé ici",
  "connect.goneText":
    "Continuez dans votre boutique. Si elle n’y est pas connectée, recommencez depuis ses réglages.",
  "connect.shops": "Boutiques connectées",
  "connect.shop": "Boutique",
  "connect.platform": "Par",
  "connect.at": "Connectée",
  "connect.platform.woocommerce": "extension WooCommerce",
  "connect.platform.connector": "connecteur",
  "connect.yours": "Connecter votre boutique",
  "connect.wordpress": "Connecter WordPress",
  "connect.wordpressText":
    "Installez d’abord l’extension. Ceci mène ensuite à ses réglages, où un clic la connecte : aucune clé n’est copiée.",
  "connect.shopAddress": "Adresse de votre boutique",
  "connect.next": "Suivant",
  "connect.openText": "Encore une étape :",
  "connect.open": "ouvrir les réglages de {shop}",
  "connect.headless": "Connecter une boutique sans interface",
  "connect.headlessText":
    "Ces lignes, dans une copie du dépôt, vérifient votre boutique et Tillgate, et écrivent les réglages du connecteur.",
  "error.shopAddress": "Saisissez l’adresse de la boutique, comme https://boutique.example.",
};
