<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Admin\HealthFindings;
use Tillgate\WooCommerce\Payments\CompareBooks;
use Tillgate\WooCommerce\Payments\Sweep;
use Tillgate\WooCommerce\WithServices;

/** Runs the sweep every two minutes, by WooCommerce's Action Scheduler. */
final class Schedule
{
    use WithServices;

    public const HOOK = 'tillgate_sweep';
    private const GROUP = 'tillgate';
    private const CHECKED = 'tillgate_schedule_checked';
    private const CHECK_EVERY_SECONDS = 600;

    public function addHooks(): void
    {
        add_action(self::HOOK, [$this, 'sweep']);
        add_action('action_scheduler_init', [self::class, 'ensure']);
    }

    public static function ensure(): void
    {
        // Shoppers' pages do not pay for this look: whatever runs the schedule passes here too.
        $isBackground = is_admin() || wp_doing_cron();
        if (!$isBackground || get_transient(self::CHECKED) !== false || !function_exists('as_has_scheduled_action')) {
            return;
        }
        set_transient(self::CHECKED, 1, self::CHECK_EVERY_SECONDS);
        if (!as_has_scheduled_action(self::HOOK, [], self::GROUP)) {
            as_schedule_recurring_action(time(), Sweep::INTERVAL_SECONDS, self::HOOK, [], self::GROUP, true);
        }
    }

    public static function unschedule(): void
    {
        delete_transient(self::CHECKED);
        if (function_exists('as_unschedule_all_actions')) {
            as_unschedule_all_actions(self::HOOK, [], self::GROUP);
        }
    }

    public function sweep(): void
    {
        $settings = $this->services->settings;
        if (SiteAddress::isElsewhere()) {
            // Maybe a copy of the shop, which must not send mail either. Its administration asks the owner.
            return;
        }
        $isComplete = $settings->whatIsMissing() === null;
        if ($isComplete || $settings->clientId() === '') {
            // A disconnected shop still follows its payments in progress.
            (new Sweep($this->services))->run();
        }
        if ($isComplete) {
            $this->contact();
            foreach (array_unique(array_merge([get_woocommerce_currency()], $settings->currencies())) as $currency) {
                $this->learnCurrency($currency);
            }
            (new LearnAccount($this->services))->ifUnknown();
            (new CompareBooks($this->services))->goOn();
        }
        (new Alarms($this->services->settings))->look((new HealthFindings($this->services))->all());
    }

    /** Whether Tillgate can be reached and takes the keys: without it no customer can pay, also while no payment is open. */
    public function contact(): void
    {
        try {
            $this->services->settings->client()->checkCredentials();
            $this->services->health->contacted(null);
        } catch (\Throwable $error) {
            $this->services->health->contacted($error->getMessage());
        }
    }

    /** Whether the account holds a currency of the shop, asked again from time to time where it did not. */
    private function learnCurrency(string $currency): void
    {
        $learnedAt = $this->services->settings->learnedAt($currency);
        $isDue = $this->services->settings->holds($currency) !== true
            && ($learnedAt === null || $learnedAt < time() - HOUR_IN_SECONDS);
        if (!$isDue) {
            return;
        }
        try {
            (new HeldCurrency($this->services))->learn($currency);
        } catch (\Throwable $error) {
            $this->services->log->warning("Whether the account holds $currency is not known: {$error->getMessage()}");
        }
    }
}
