<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;
use Tillgate\WooCommerce\Shop\Credentials;
use Tillgate\WooCommerce\Shop\Log;
use Tillgate\WooCommerce\Shop\SecretBox;
use Tillgate\WooCommerce\Shop\SettingsStorage;

final class SecretsTest extends TestCase
{
    public function testNoOptionHoldsTheSecretAsText(): void
    {
        World::begin();
        $settings = (new SettingsStorage())->takeSecret([
            'mode' => 'sandbox',
            'client_id' => World::CLIENT,
            'client_secret' => 'a new secret',
        ]);
        self::assertSame('', $settings['client_secret']);
        self::assertSame('a new secret', Credentials::current());
        self::assertStringNotContainsString('a new secret', serialize(World::$options));
        self::assertStringNotContainsString(World::SECRET, serialize(World::$options));
    }

    public function testAnEmptyFieldKeepsTheStoredSecret(): void
    {
        World::begin();
        (new SettingsStorage())->takeSecret(['mode' => 'sandbox', 'client_id' => World::CLIENT, 'client_secret' => '']);
        self::assertSame(World::SECRET, Credentials::current());
        self::assertCount(1, World::$options[Credentials::OPTION]);
    }

    public function testOtherSaltsMakeItUnreadableAndTheSettingsSaySo(): void
    {
        $services = World::begin();
        self::assertNull($services->settings->whatIsMissing());
        World::$salt = 'another salt';
        self::assertNull(Credentials::current());
        self::assertStringContainsString('salts', (string) $services->settings->whatIsMissing());
    }

    public function testASealedSecretThatWasChangedDoesNotOpen(): void
    {
        World::begin();
        $sealed = SecretBox::seal('secret');
        self::assertSame('secret', SecretBox::open($sealed));
        self::assertNotSame($sealed, SecretBox::seal('secret'));
        $changed = $sealed;
        $changed[20] = $changed[20] === 'A' ? 'B' : 'A';
        self::assertNull(SecretBox::open($changed));
        self::assertNull(SecretBox::open('secret'));
    }

    public function testTheLogShowsNoSecret(): void
    {
        World::begin();
        (new Log())->error('refused ' . World::SECRET . ' and Authorization: Basic ' . base64_encode('id:' . World::SECRET));
        self::assertSame(['error: refused [masked] and Authorization: Basic [masked]'], World::$log);
    }

    public function testASecretOfAnotherModeIsNotUsedForTheOther(): void
    {
        World::begin();
        Credentials::save('live', 'tg_live_1', 'live secret');
        self::assertSame('live secret', Credentials::secretOf('live', 'tg_live_1'));
        self::assertSame(World::SECRET, Credentials::secretOf('sandbox', World::CLIENT));
        self::assertNull(Credentials::secretOf('live', World::CLIENT));
    }
}
