<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Admin\HealthFindings;
use Tillgate\WooCommerce\Payments\Reconcile;
use Tillgate\WooCommerce\Payments\ScheduledCheck;
use Tillgate\WooCommerce\WithServices;

/** Runs the background tasks every two minutes with Action Scheduler. */
final class Schedule
{
    use WithServices;

    public const HOOK = 'tillgate_sweep';
    private const GROUP = 'tillgate';
    private const CHECKED_TRANSIENT = 'tillgate_schedule_checked';
    private const CHECK_INTERVAL_SECONDS = 600;

    public function addHooks(): void
    {
        add_action(self::HOOK, [$this, 'run']);
        add_action('action_scheduler_init', [self::class, 'ensure']);
    }

    public static function ensure(): void
    {
        // Skipped on customer pages, for speed.
        $isBackground = is_admin() || wp_doing_cron();
        if (!$isBackground || get_transient(self::CHECKED_TRANSIENT) !== false || !function_exists('as_has_scheduled_action')) {
            return;
        }
        set_transient(self::CHECKED_TRANSIENT, 1, self::CHECK_INTERVAL_SECONDS);
        if (!as_has_scheduled_action(self::HOOK, [], self::GROUP)) {
            as_schedule_recurring_action(time(), ScheduledCheck::INTERVAL_SECONDS, self::HOOK, [], self::GROUP, true);
        }
    }

    /** @param bool $isNetworkWide whether the plugin is being deactivated on every site in the network */
    public static function unschedule(bool $isNetworkWide = false): void
    {
        if (!$isNetworkWide) {
            self::unscheduleSite();
            return;
        }
        foreach (get_sites(['fields' => 'ids', 'number' => 0]) as $site) {
            switch_to_blog((int) $site);
            // A site where the plugin never ran may lack WooCommerce's tables.
            if (get_option('tillgate_schema') !== false) {
                self::unscheduleSite();
            }
            restore_current_blog();
        }
    }

    private static function unscheduleSite(): void
    {
        delete_transient(self::CHECKED_TRANSIENT);
        if (function_exists('as_unschedule_all_actions')) {
            as_unschedule_all_actions(self::HOOK, [], self::GROUP);
        }
    }

    public function run(): void
    {
        $settings = $this->services->settings;
        if (SiteAddress::hasMoved()) {
            // The site may be a copy, which must not send e-mails either. SiteMoveNotice asks the merchant to decide.
            return;
        }
        $isComplete = $settings->setupError() === null;
        if ($isComplete || $settings->clientId() === '') {
            // A disconnected shop still tracks its open payments.
            (new ScheduledCheck($this->services))->run();
        }
        if ($isComplete) {
            $this->checkContact();
            foreach (array_unique(array_merge([get_woocommerce_currency()], $settings->currencies())) as $currency) {
                $this->checkCurrency($currency);
            }
            (new FetchAccount($this->services))->ifUnknown();
            (new Reconcile($this->services))->advance();
        }
        (new Alerts($this->services->settings))->update((new HealthFindings($this->services))->all());
    }

    /** Records whether Tillgate is reachable and accepts the credentials. */
    public function checkContact(): void
    {
        try {
            $this->services->settings->client()->checkCredentials();
            $this->services->health->recordContact(null);
        } catch (\Throwable $error) {
            $this->services->health->recordContact($error->getMessage());
        }
    }

    /** Checks whether the account has a wallet in the currency, at most hourly and only until there is one. */
    private function checkCurrency(string $currency): void
    {
        $learnedAt = $this->services->settings->walletCheckedAt($currency);
        $isDue = $this->services->settings->hasWallet($currency) !== true
            && ($learnedAt === null || $learnedAt < time() - HOUR_IN_SECONDS);
        if (!$isDue) {
            return;
        }
        try {
            (new CheckCurrency($this->services))->run($currency);
        } catch (\Throwable $error) {
            $this->services->log->warning("Could not check for a $currency wallet: {$error->getMessage()}");
        }
    }
}
