<?php

namespace Tillgate\WooCommerce;

/** What a class is made of that works with the plugin's services alone. */
trait WithServices
{
    /** @var Services */
    private $services;

    public function __construct(Services $services)
    {
        $this->services = $services;
    }
}
