import { accountFr } from "./account/fr";
import type { Texts } from "./en";
import { PASSKEY_TEXTS } from "./passkeys";

export const fr: Texts = {
  footer: "Paiement sécurisé par Tillgate. La boutique ne voit jamais votre code PIN ni votre solde.",
  legal: { terms: "Conditions d’utilisation", privacy: "Politique de confidentialité" },
  testMode: {
    title: "MODE TEST",
    explanation: "Aucun argent réel ne circule.",
    pageTitle: "TEST : {title}",
    receipt: "MODE TEST : aucun argent réel n’a circulé.",
  },

  title: {
    PENDING: "Payer {amount} à {merchant}",
    PAID: "Payé : {amount} à {merchant}",
    CANCELLED: "Paiement annulé : {merchant}",
    EXPIRED: "Paiement expiré : {merchant}",
    REFUND_PENDING: "Remboursement en cours : {merchant}",
    REFUNDED: "Remboursé : {amount} par {merchant}",
  },
  heading: {
    PENDING: "Payer {merchant}",
    PAID: "{amount} payés",
    CANCELLED: "Paiement annulé",
    EXPIRED: "Le délai de paiement est passé",
    REFUND_PENDING: "Un remboursement est en route",
    REFUNDED: "{amount} remboursés",
  },

  order: {
    waiting: "En attente de votre paiement",
    reference: "Référence {reference}",
    orderId: "Commande",
    timeLeft: "{time} pour payer",
    lastMinute: "Il reste moins d’une minute pour payer.",
    lastSeconds: "Il reste 15 secondes pour payer.",
    payBefore: "À payer avant le {time}.",
    checkAgain: "Payé sur un autre appareil ? Vérifier l’état",
  },
  connection: {
    offline: "Vous êtes hors ligne. Cette page reprend d’elle-même dès votre retour.",
    lost: "La connexion est perdue. Cette page continue d’essayer.",
    unavailable: "Le service de paiement ne répond pas. Cette page continue d’essayer.",
    clock: "D’ici là, le décompte est arrêté.",
  },

  check: {
    status: "Vérification",
    title: "Vérification de votre paiement",
    explanation:
      "La réponse s’est perdue en route. Cette page cherche si vous avez payé ; laissez-la ouverte. Une commande n’est jamais débitée deux fois.",
    back: "Revenir au paiement",
  },

  signIn: {
    title: "Payer avec votre portefeuille Tillgate",
    identifier: "Numéro de téléphone ou e-mail",
    pin: "Code PIN de votre portefeuille Tillgate",
    pinHint: "6 chiffres",
    submit: "Continuer",
    stay: "Rester connecté sur cet appareil",
    stayHint: "Seulement sur un appareil à vous. Payer demande toujours votre code PIN ou votre clé d’accès.",
    busy: "Connexion…",
    next: "Vous verrez ensuite votre portefeuille. Rien n’est débité avant votre confirmation.",
  },
  wallet: {
    signedIn: "Connecté : {name}",
    signOut: "Ce n’est pas vous ? Se déconnecter",
    signOutBusy: "Déconnexion…",
    wrongPinsElsewhere: "Quelqu’un a saisi de mauvais codes PIN pour votre compte.",
    wrongPinsElsewhereAdvice:
      "Ce n’était pas sur cet appareil. Personne n’est entré, et vous pouvez continuer à payer ici. Personne d’autre que vous n’a besoin de votre code PIN.",
    choose: "Payer depuis",
    name: "Portefeuille {currency}",
    chosen: "choisi",
    about: "environ {price}",
    noRate: "ne peut pas payer en {currency}",
    missing: "il manque {missing}",
    pay: "Payer {amount}",
    busy: "Paiement…",
    pin: "Code PIN, pour confirmer que c’est vous",
    next: "Vous payez une seule fois et voyez aussitôt votre reçu.",
    notEnough: "Votre portefeuille {currency} ne contient pas assez",
    notEnoughAdvice:
      "Ce paiement demande {price} ; votre portefeuille contient {balance}, il manque donc {missing}.",
    notEnoughTestAdvice: "Rechargez-le ici : vous revenez ensuite à ce paiement. Ou payez depuis un autre.",
    notEnoughLiveAdvice:
      "C’est l’exploitant de ce service de paiement qui alimente les portefeuilles : adressez-vous à lui, ou payez depuis un autre portefeuille.",
    none: "Vous n’avez pas de portefeuille qui puisse payer en {currency}",
    noneTestAdvice:
      "Rechargez : un portefeuille en {currency} s’ouvre aussitôt, et vous revenez ici pour payer.",
    noneAdvice: "Vous avez un autre compte ? Déconnectez-vous et utilisez-le.",
    chooseAdvice: "Ce paiement est en {currency}. Choisissez un portefeuille pour voir son prix exact.",
    sandboxAdvice: "En mode test, les boutons de test ci-dessous fonctionnent aussi.",
  },
  passkey: PASSKEY_TEXTS.fr,
  quote: {
    pays: "Vous payez",
    receives: "{merchant} reçoit",
    rate: "Taux",
    rateWithMargin: "Taux, marge de {margin} comprise",
    rateMarginIncluded: "Taux, marge comprise",
    rateValue: "{one} = {rate}",
    heldFor: "Taux garanti pendant",
    heldUntil: "Taux garanti jusqu’au",
    over: "Le taux n’est plus garanti",
    overAdvice: "Les taux bougent. Demandez-en un nouveau ; vous verrez le prix exact avant de payer.",
    renew: "Voir le prix actuel",
    renewBusy: "Demande du taux…",
  },
  sandbox: {
    title: "Boutons de test",
    explanation:
      "Approuver paie depuis un client de test intégré. Refuser montre un refus ; la commande reste ouverte.",
    approve: "Approuver",
    approveBusy: "Approbation…",
    decline: "Refuser",
    declineBusy: "Refus…",
    signIn: "Se connecter comme {name}",
    signInHint: "Sans code PIN en mode test.",
  },
  scan: {
    title: "Payer avec votre téléphone",
    explanation: "Scannez le code avec son appareil photo.",
    linkOnly: "Ouvrez-y cette adresse.",
    live: "Cette page change d’elle-même dès que vous avez payé.",
    open: "Payer avec un autre appareil",
    watch: "Afficher le code seul et attendre le paiement",
    watchTitle: "Scanner pour payer",
    watching: "Cette page vérifie toutes les quelques secondes si vous avez payé.",
    back: "Payer plutôt sur cet appareil",
    picture: "Code QR pour payer {amount} à {merchant}",
    address: "Adresse de paiement",
    copy: "Copier",
    copied: "Copié",
    copyFailed: "Sélectionné : copiez maintenant",
  },
  cancel: {
    open: "Annuler le paiement",
    question: "Annuler ce paiement ? La commande ne pourra plus être payée.",
    confirm: "Oui, annuler",
    busy: "Annulation…",
  },

  receipt: {
    transaction: "Transaction",
    time: "Date",
    refunded: "Remboursé",
    receivedBack: "Recrédité sur votre portefeuille",
    paidFrom: "Prélevé sur votre portefeuille",
    rate: "Taux",
    next: "{merchant} a reçu votre paiement.",
    refundedInPart: "{refunded} sur {amount} sont revenus sur le portefeuille qui a payé.",
    print: "Imprimer",
    copy: "Copier le reçu",
    copied: "Copié",
    copyFailed: "Sélectionné : copiez maintenant",
  },
  leaveScreen: {
    signedIn: "Vous êtes toujours connecté : {name}",
    advice: "D’autres personnes utilisent cet écran ? Déconnectez-vous avant de le quitter.",
    signOut: "Se déconnecter sur cet écran",
  },
  ended: {
    CANCELLED: "Rien n’a été débité. Pour payer malgré tout, commencez un nouveau paiement chez {merchant}.",
    EXPIRED:
      "Le délai de paiement est passé et rien n’a été débité. Pour réessayer, commencez un nouveau paiement chez {merchant}.",
    REFUND_PENDING: "{merchant} vous rembourse. L’argent arrive sur le portefeuille qui a payé.",
    REFUNDED: "{merchant} a renvoyé la totalité sur le portefeuille qui a payé.",
  },
  goBack: {
    link: "Retourner chez {merchant}",
    counting: "Retour chez {merchant} dans {seconds} s.",
    stop: "Rester ici",
  },

  landing: {
    title: "Ce que votre boutique a appris",
    delivered: "Webhook vers {host} : arrivé, réponse {status}.",
    waiting: "Webhook vers {host} : en route.",
    refused: "Webhook vers {host} : non accepté, réponse {status} ; il sera renvoyé.",
    failed: "Webhook vers {host} : abandonné.",
    none: "Aucun webhook n’est parti : donnez un callback_url à la commande, ou ajoutez un point d’accès.",
    order: "La commande là-bas : {status}.",
    orderIs: {
      pending: "Attente de paiement",
      "on-hold": "En attente",
      processing: "En cours",
      completed: "Terminée",
      cancelled: "Annulée",
      refunded: "Remboursée",
      failed: "Échouée",
    },
  },
  amounts: {
    ambiguous:
      "« {typed} » peut vouloir dire {small} ou {large}. Saisissez {smallSpelling} ou {largeSpelling}.",
    ambiguousLarge:
      "« {typed} » peut vouloir dire {small} ou {large}. Pour le second, saisissez {largeSpelling}.",
  },
  link: {
    goOn: "Continuer le paiement commencé",
    go: "Passer au paiement",
    next: "Rien n’est encore payé. Vous verrez encore une fois le montant, puis vous paierez depuis votre portefeuille.",
    amount: "Montant en {currency}",
    between: "De {min} à {max}.",
    atLeast: "Au moins {min}.",
    atMost: "Au plus {max}.",
    wrongAmount: "Ce montant ne peut pas être payé ici. Veuillez en saisir un autre.",
    slow: "Patientez une minute, puis ouvrez de nouveau le lien. Rien n’a été payé.",
    away: "Rien n’a été payé. Veuillez réessayer dans un instant.",
    used: {
      title: "C’est déjà payé",
      explanation:
        "Ce lien de {merchant} valait pour un nombre limité de paiements, et tous ont été faits. Rien ne vous a été prélevé.",
    },
    expired: {
      title: "Ce lien a expiré",
      explanation: "{merchant} n’accepte plus de paiements par ce lien. Demandez-en un autre.",
    },
    closed: {
      title: "Ce lien est fermé",
      explanation: "{merchant} n’accepte pas de paiements par ce lien en ce moment.",
    },
  },
  /** In a frame of the shop's page. */
  embed: {
    payHere: "Payer ici",
    next: "Ouvre Tillgate dans un nouvel onglet. Votre code PIN n’est demandé que là, jamais dans la page de la boutique.",
    scan: "Ou scannez le code avec l’appareil photo de votre téléphone.",
    receipt: "Afficher le reçu",
  },
  till: {
    waits:
      "Aucun paiement n’est encore ouvert ici. Cette page l’ouvre d’elle-même dès que le montant est saisi.",
  },
  root: {
    explanation:
      "Un paiement commence dans une boutique : ouvrez sa page de paiement, ou scannez son code. Vous payez ensuite ici avec votre portefeuille Tillgate.",
  },
  notFound: {
    title: "Ce paiement n’existe pas",
    explanation:
      "L’adresse est peut-être incomplète. Rouvrez le paiement depuis la boutique, ou scannez le code à nouveau.",
  },
  unavailable: {
    title: "Le service de paiement ne répond pas",
    explanation:
      "Si vous venez de payer, ne payez pas une seconde fois : le résultat s’affiche ici dès que le service répond.",
    scriptAdvice: "Cette page réessaie toutes les quelques secondes et reprend d’elle-même.",
    retry: "Réessayer maintenant",
  },
  failed: {
    title: "Une erreur s’est produite ici",
    explanation: "La page n’a pas pu s’afficher. Veuillez réessayer ; ce que vous avez payé reste payé.",
  },
  refused: {
    title: "Cette étape n’a pas été acceptée",
    origin: "La demande ne venait pas de la page de paiement ; rien n’a été fait.",
    method: "Cette adresse ne prend que les formulaires de la page de paiement. Rien n’a été fait.",
    form: "Le formulaire n’a pas été envoyé comme la page de paiement l’envoie ; rien n’a été fait.",
    back: "Aller au paiement",
  },

  notice: {
    form_rejected: "Cette page n’était plus à jour ; rien n’a été fait. Veuillez réessayer.",
    wrong_sign_in: "Le téléphone ou l’e-mail et le code PIN ne correspondent pas. Veuillez réessayer.",
    phone_without_country:
      "Saisissez le numéro de téléphone avec l’indicatif du pays, par exemple +33 6 12 34 56 78, ou votre e-mail. Cela ne compte pas comme un code PIN erroné.",
    wrong_pin: "Ce code PIN n’est pas le bon ; rien n’a été payé. Veuillez réessayer.",
    pin_needed: "Saisissez votre code PIN pour confirmer ce paiement. Rien n’a encore été payé.",
    passkey_refused:
      "La clé d’accès n’a pas été acceptée, rien n’a donc été payé. Réessayez ou utilisez votre code PIN.",
    too_many_passkeys: "Il y a déjà dix clés d’accès. Supprimez-en d’abord une dans votre portefeuille.",
    passkey_added: "La clé d’accès est ajoutée. La prochaine fois, vous pourrez payer avec elle.",
    passkey_not_added:
      "Aucune clé d’accès n’a été ajoutée. Vous pourrez en ajouter une après votre prochain paiement avec code PIN.",
    invalid_pin: "Saisissez les 6 chiffres de votre code PIN. Rien n’a encore été payé.",
    locked:
      "Quelqu’un a saisi trop de mauvais codes PIN pour ce téléphone ou cet e-mail ; il est suspendu pour les nouveaux appareils. Ce n’était pas vous ? Rien n’a été débité, et un appareil où vous vous êtes déjà connecté fonctionne toujours.",
    device_locked:
      "Trop de mauvais codes PIN ont été saisis sur cet appareil ; il est suspendu pour votre sécurité. Rien n’a été payé.",
    wrong_pins_before:
      "Avant votre connexion, quelqu’un a saisi trop de mauvais codes PIN pour votre téléphone ou e-mail. Ce n’était pas vous ? Personne n’est entré et rien n’a été débité.",
    too_many_attempts: "Trop de tentatives en peu de temps.",
    not_signed_in: "Vous êtes déconnecté ; rien n’a été payé. Veuillez vous reconnecter.",
    no_wallet: "Votre compte n’a pas de portefeuille qui puisse payer ceci ; rien n’a été payé.",
    wallet_closed: "Ce portefeuille est fermé ; rien n’a été payé. Veuillez en utiliser un autre.",
    insufficient_balance: "Votre portefeuille ne contient pas assez ; rien n’a été payé.",
    no_rate:
      "Il n’y a pas de taux de change entre ce portefeuille et ce paiement pour le moment. Veuillez en utiliser un autre.",
    quote_expired:
      "Le taux n’était plus garanti ; rien n’a été payé. Regardez le prix et confirmez à nouveau.",
    expired: "Le délai de paiement est passé avant cette étape. Rien n’a été débité.",
    cancelled: "Ce paiement a été annulé avant cette étape. Rien n’a été débité.",
    already_paid: "Cette commande a déjà été payée ailleurs. Vous n’avez pas été débité.",
    link_used: "Ce lien de paiement est épuisé : d’autres ont payé avant vous. Vous n’avez pas été débité.",
    not_payable_now:
      "Ce paiement ne peut pas se faire pour le moment. Rien n’a été débité. Demandez à la boutique.",
    sandbox_only: "Les boutons de test ne fonctionnent qu’en mode test.",
    not_found: "Ce paiement n’existe pas.",
    invalid_field: "Saisissez votre téléphone ou e-mail et les 6 chiffres de votre code PIN.",
    declined: "Paiement refusé. C’est le refus de test ; vous pouvez réessayer.",
    unavailable:
      "Le service de paiement n’a pas répondu. L’état ci-dessous est à jour : regardez-le avant de réessayer.",
    unconfirmed: "Le service de paiement a répondu trop tard. Vous n’avez pas été débité. Réessayez.",
    pins_differ: "Les deux saisies du nouveau code PIN diffèrent. Veuillez les saisir à nouveau.",
    trivial_pin: "Ce code PIN est trop facile à deviner. Veuillez en choisir un autre.",
    same_pin: "C’est le code PIN que vous avez déjà. Veuillez en choisir un autre.",
    identifier_taken: "Ce téléphone ou cet e-mail a déjà un portefeuille. Veuillez vous connecter avec.",
    unknown_shopper: "Aucun portefeuille de test n’a ce téléphone ou cet e-mail.",
    conversion_expired: "Le taux n’était plus garanti ; rien n’a été converti. Veuillez regarder le nouveau.",
    cookies_needed:
      "Votre navigateur ne garde pas de cookies pour cette page. Autorisez-les, puis réessayez.",
  },
  lostAnswer: {
    offline:
      "Vous êtes hors ligne : rien n’a été envoyé et vous n’avez pas été débité. Cette page vérifie dès votre retour.",
    unknown:
      "La connexion a été coupée avant la réponse. Cette page vérifie si vous avez payé. Une commande n’est jamais payée deux fois.",
    unpaid: "Vous n’avez pas été débité. Réessayez.",
    step: "La connexion a été coupée : cette action n’a peut-être pas été effectuée. Réessayez.",
    again: "Réessayer",
  },
  missing: "Il manque {missing}.",
  wait: {
    seconds: "Veuillez réessayer dans {count, plural, one {# seconde} other {# secondes}}.",
    minutes: "Veuillez réessayer dans {count, plural, one {# minute} other {# minutes}}.",
    hours: "Veuillez réessayer dans {count, plural, one {# heure} other {# heures}}.",
    clock: "Vous pourrez réessayer dans {time}.",
    over: "Vous pouvez réessayer maintenant.",
  },
  account: accountFr,
  languages: "Langue",
};
