CREATE TABLE `api_clients` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `at_us` bigint(20) NOT NULL,
  `name` varchar(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `scopes` text NOT NULL,
  `networks` text NOT NULL,
  `test` tinyint(4) NOT NULL,
  `per_minute` int(11) NOT NULL,
  `cash` text NOT NULL,
  `cash_per_day` text NOT NULL,
  `cash_per_player` text NOT NULL,
  `approve_above` text NOT NULL,
  `webhook` text NOT NULL,
  `events` text NOT NULL,
  `secret_hash` binary(32) NOT NULL,
  `secret_at_us` bigint(20) NOT NULL,
  `previous_hash` binary(32) NOT NULL,
  `previous_until_us` bigint(20) NOT NULL,
  `revoked_at_us` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `api_clients_name` (`name`),
  KEY `api_clients_at` (`at_us`,`id`)
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `api_clients` VALUES (1, 1795429620000000, 'cashier', '["players","deposits","cashouts","launches","grants","read","restriction-kinds"]', '127.0.0.1/32', 0, 6000, 'EUR 500.00', 'EUR 2000.00', '', 'EUR 20.00', 'https://127.0.0.1:9/events', '["player","restriction","grant","game session","correction","cash-out"]', X'edf6ba4d66208e58aaf6e68e7ca226789b7d875155c0aaf3fcc1ebb59918f402', 1795429740000000, X'0000000000000000000000000000000000000000000000000000000000000000', 0, 0);
CREATE TABLE `api_requests` (
  `client_id` bigint(20) NOT NULL,
  `idem_key` varbinary(72) NOT NULL,
  `route` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `digest` binary(32) NOT NULL,
  `object` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `object_id` varchar(64) NOT NULL,
  `number` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `at_us` bigint(20) NOT NULL,
  PRIMARY KEY (`client_id`,`idem_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `api_requests` VALUES (1, 'r-1', 'restrictPlayer', X'a5fa777a3dc67268caea6eea038ba14177e360dba84e1db44e738dbae137e7ef', 'restriction', '1', '1-2', 1795430760000000);
CREATE TABLE `audit_events` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `at_us` bigint(20) NOT NULL,
  `actor` varchar(255) NOT NULL,
  `address` varchar(64) NOT NULL,
  `session` varchar(64) NOT NULL,
  `action` varchar(64) NOT NULL,
  `object` varchar(64) NOT NULL,
  `object_id` varchar(255) NOT NULL,
  `player_id` bigint(20) NOT NULL DEFAULT 0,
  `before_text` mediumtext NOT NULL,
  `after_text` mediumtext NOT NULL,
  `reason` text NOT NULL,
  `salts` varbinary(80) NOT NULL DEFAULT '',
  `digests` varbinary(160) NOT NULL DEFAULT '',
  `hash` varbinary(32) NOT NULL DEFAULT '',
  `channel` tinyint(3) unsigned NOT NULL DEFAULT 0,
  `os_user` varchar(255) NOT NULL DEFAULT '',
  `stated` tinyint(4) NOT NULL DEFAULT 0,
  `replaces` bigint(20) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY `audit_events_object` (`object`,`object_id`),
  KEY `audit_events_player` (`player_id`),
  KEY `audit_events_actor` (`actor`),
  KEY `audit_events_action` (`action`),
  KEY `audit_events_kind` (`object`),
  KEY `audit_events_address` (`address`),
  KEY `audit_events_session` (`session`),
  KEY `audit_events_state` (`object`,`stated`,`object_id`)
) ENGINE=InnoDB AUTO_INCREMENT=166 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `audit_events` VALUES (1, 1795424400000000, 'system', '', '', 'setting changed', 'setting', 'sign-in rules', 0, '', '{"IdleMinutes":15,"SessionHours":12,"SecondFactorRoles":null,"UnusedDays":90}', '', X'a608d5e20ffc2d1212f4a4654efa2bd11e3a9e97e2e230e1ee635acca8a1e2d7676663f3d41572473a311de85bcdb3207b7c831d1c902015740489ea155426385fb678d710f367fb289d04f4291941fe', X'08386038ac09a555fbb4f4bcab42849a70641ad866bc30f8574874f543f8bc5e89a2d88612555d127265eee6559dbf718bdc77da70a7e3688468d6732bc4c7c09e97e7a86d7a4c17ba09ff8072a3d75a796dd5cfb537a9f08a71da490b6cf7d3e1ba009e744c931c2ce3709ca2507a4c5a8fdbbca94159508bf97875138ef9d9e76ae3e3ccb0f9af036310a2fc19fad48f633d56be9b8b16459286bfa7711a55', X'7aeca45331e039ce6e312eeae35a799412b4fa333f277c565584c5883564320d', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (2, 1795424400000000, 'system', '', '', 'staff created', 'staff', '1', 0, '', '{"email":"","identity":"","name":"Ada Lindqvist","role":"admin","username":"ada"}', '', X'145171bb9af2b29856eb44337c4fdfe2f9404220e7c5010fe498a12319cf0ec18b1552d077866cff8cd8464d31a6cd4dfc928ac8812b65af3763ddbbc067392e77d1000930f8eecd9222ee3b67982fe5', X'5092088804d680f843dd74b10790cc56ea86c77b0f8948ecbbffaf75c79208203e7c060bd31517e7f80e27ef42700704aa005562ff8656e172439d4aae0f54ed643566bec5fa5a2db72ddd346eedc2cc41eafaa01fe4fb016abc32040fc9ffacfdf7c9f359b5114963efff3af0c25f75fb7e5eb79671f066fac58f65b7ef04879f5183d7bdd46b1ebc1cd9b8689b82b94c4640ecf06ea537d45636caf7f08caf', X'd6fff8d098c3bfe02c7780f9674f874cf5a7b37996764f06bd04580aa6874168', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (3, 1795424400000000, 'system', '', '', 'staff created', 'staff', '2', 0, '', '{"email":"","identity":"","name":"Adam Okafor","role":"admin","username":"adam"}', '', X'ef9dd60334dc47bce640a1be4658fc73ce7d28a6c6fb35ca3f55024a62f15d81137de81348dd325dffb9da32cbf3c17bd96d5088db91b4bda70e2b99f3fd848130685b0020f829280003eeb7bf4146fb', X'36fcf5bb1d062b35d9e9fdc22416ebe4a99bdce4cb42d5a68a6ee1c736c72ea01ea2c86a7ef1c06e61fe55c15cf747887722e8d4c522768fd97e22cd91aadd62bc3506e69d6a58621fcb1eb668d0ed32808d18f98564c612b8b6bf41826580e2e00378c46efaf55e791a83685367c1ed0ff9fd73388116ab7a655de358d8d99141d1918ab145a316b75d8e52f9bc6988b7b921c7944c703a3600fac3ef4b920d', X'546aa4f19cf186da14e559f48d286bf78556388c04303446c2c44438c86f9114', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (4, 1795424400000000, 'system', '', '', 'staff created', 'staff', '3', 0, '', '{"email":"","identity":"","name":"Bruno Keller","role":"bonus","username":"bruno"}', '', X'2f1b683fd92dd62a6dfec284257a82cf288cda576ae5e2045f25ac37a0dee5d04bbfaf082a0e3c3cb1efae9f96d79409c78a82d452f99c8e2aaee7010384d7f0594247bcfd10b30554f54b2767c4d14c', X'bd5ab604006680fe17207a12ad50f4afac65136385327b7d8cc9d00c93270a9771274e27390e04a64694295312bb4eddc363e1a145405a1bc87bb95cabcd8d8fc1087d7c90ccb5cf1b39237755ccac2e85e12a418797da481aa7c6cdbc3ac88628574c229bed654292c729773ee31c1237676eb8b6df85f8c903148fd0a77437145a3e51303ef8c736e67af6a1321dffa13fae06eb037cd7996e11fdeee014de', X'12c40b99d08399ea2fdc1f0a67f18f28409055a8cc387c2f85ea4a6d463406a3', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (5, 1795424400000000, 'system', '', '', 'staff created', 'staff', '4', 0, '', '{"email":"","identity":"","name":"Sofia Marchetti","role":"support","username":"sofia"}', '', X'd7b998d6639690eaa1b21dbf348bbf59d33e57303265b83c8f4b692d55e1147ff612dd79f70c661abbd4f6963efabac9a8af8c4b2fdaffd63ee1ac7c8125a5af9ff4fae277ec58fd9c0d081693f00a29', X'6af75fac6c0c32a8dad12ba7bae47343c800dc9d80e0022b5c2e073ab86267da0554137090b91d2cc2ee5666a6d16a48e6213ebe4698f77d17677b5ba3bcaee13a3d8d11e3c24060545cd1f7dfd2ef987eb521187d861b67a3826e5e1a0d86b9243a23c0bb80c1840369344f807f87bbe7175b0f19a7155c91b0254351fa5cd90ec1fd52887b7acb71260c69a0cd0ac40213d8c306f954a0ff6569c6c8e06df0', X'994bab982d48986cb4916d1a381ce481a2e5e75a6ce7689b82a8aba5289b7f74', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (6, 1795424400000000, 'system', '', '', 'staff created', 'staff', '5', 0, '', '{"email":"","identity":"","name":"Farid Haddad","role":"finance","username":"farid"}', '', X'ff090e813b04c3cbeba7b8e0bfcda3545a716664059ee341be6a5ed5c4115c453e45871d72ea3d6fd83e9f187924382beadad4bd26d083e9b2654468436be6a2a40d536604f4ba22417ff62ea183cb00', X'f67d6ddddbc1fd88c951c9c2de2ea2603d284ca2016c1f5c3f27f69a0d4e21d79c419a1f0a81de4ff7a74b39d921b3a63ace0c6fe5d0c56c991cf3212525afdc06b84c78f4ced7061f897411197e8f58c40ddf16931734a41bb4f6635b94dce007ea4279a400c4105a241721c8838da4bdf24a4300153370f2be68f96320baa5bd687a36d3b57846c6d3fa17423a668c004961833eb7ee8b06d5787bac7758e2', X'890e430346cbe4621610bb0b67ea3ee0a490d97a63ef181b42d807cc33719f45', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (7, 1795424400000000, 'system', '', '', 'staff created', 'staff', '6', 0, '', '{"email":"","identity":"","name":"Mira Novak","role":"finance","username":"mira"}', '', X'5f638e055026d4fed6e89196f0041e7155c06c4e2c0ff719026be55c569c9af468bf38325143e0e2eccfa5e88e7d42ee38c9dae05404773b4ab58aca5f75de78192ad3108ea4c90b0c418cc429c9e879', X'0f670abaa1eab8d263fd805ac8655349f9cd157b8f08749828813bd7cf4dfec32f8a48c11b97b08b041bacece4fdfafc54cbf23689d00071ae32a6b6790bc97d118f46b0d459edb9fc141c5d565b812126147295bf697f66f6eb52162f87df9f7fc635bdfd4733bce0a502448d48b0b8b3b16a450c035cfa921d944e8d12e017760c3e40d84440109812e8361bde4d80a71c1a464f85587727d1bdcb93cf8413', X'b9da19d1766129dd4bed667df55191731ecb4aef3a4acdeb6104b6216fe7f6fd', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (8, 1795424400000000, 'system', '', '', 'staff created', 'staff', '7', 0, '', '{"email":"","identity":"","name":"Chloe Martin","role":"compliance","username":"chloe"}', '', X'bb9c3e3e9742523653557e9e96f2fbd636898c48db30b7aae965310c829fe1f3031066a233a4e425e4a72c060da6e28e8ff820dfb6880a8d2b1b91a4c6d397777b91eae13ee2f857c25626c9adb82d82', X'4c17b8824009c6b68ec9215c0bfb76f4fac9d422f1893e2b1065ea46dfd9518f7edd322de18784dae7da7a56c6dc9b3ffb3d158e7c53244cac0adf50a2d657fb4b7124634dd3eff5e5db09bd41997b53a40b25eeffc5334c59ed91666de2f101b96751a985b1c938c4e3456853ff4eb9f9f1551a221a98667dfbc71b0394b278baf6b1c16219b640123d52f0114c2de939917fc9b98bc4a0ac5b23dd292c1abe', X'b2f0e90e439b58afb470d95f4348b0f57a1ae98d763ebfb4ae61ba286a42503a', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (9, 1795424880000000, 'system', '', '', 'program started', 'program', '1', 0, '', '{"configuration":"be21911ff881de25b49d8ad739477097","place":"a host, callbacks 127.0.0.1:8081, back office 127.0.0.1:8080","schema":9,"version":"0.1.0"}', '', X'dfab6b426457126cb24a5f1da766b13af3ea4dc8afc0c3e9d57d2e7ac543764716461ac2406a942c9642da966928f9b98d6fb5cc65a0e5a72002cb79872a3f6000000000000000000000000000000000', X'3a2aa853371851e094420072aea0dc92305dfc7ac966b5f98c402cd77902ef0165c50790fd605e392694374a3a69594e5c79cd6a947257f5053f137b4ac6c7180fa33d9b1293843cdf5292cec6866d6e135cf7773e35c0fb184669e29f07536ce360fba3575a90c7a0345bc61a3afcf9d9bd8e36c1885777af5db7986e7148100000000000000000000000000000000000000000000000000000000000000000', X'2d83f9665329aa0c294b1386d8cffb687bc88b77298c6601a01c944ed1117b8d', 1, '', 0, 0);
INSERT INTO `audit_events` VALUES (10, 1795424880000000, 'system', '', '', 'program stopped', 'program', '1', 0, '', '', '', X'0a9607351327a147b68ece290d9fd542c63edecebf9c8541b9cf06d7e96eff9c86886431b1d45325e2989f7603a5a65f3d230f1e148585a6c474e22a740f0a5000000000000000000000000000000000', X'4a1808fa2fa3ced964591ebb9890f341d27cdfef557d2d085f4e02763eb0294ecf7e62e7f5ec7dc4148a4d5d8f59e233da8eae3ca5c2750758d10100bcf48801f37d3baa665f3d371e5fbebdbf3db1717b5873ef61adbe6ce9d0b594c0ddc36fc0d99f32c2a9a2e5fcae9ea136367661508bef2c68402206e18ebdea9d3870f00000000000000000000000000000000000000000000000000000000000000000', X'6ebcfe58b9f6747e0838451ff3dcff5f3b5fada31a257048fdc8f26990efbbab', 1, '', 0, 0);
INSERT INTO `audit_events` VALUES (11, 1795424940000000, 'ada', '192.0.2.10', 'of ada', 'change requested', 'change', '1', 0, '{"value":{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30000}}}', '{"requested_by":"ada","subject":"grant limits","value":{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30000,"Cost":{"EUR":{"Grant":2000,"PlayerPerDay":4000,"HousePerDay":600000}}},"SpinCost":{"EUR":20}}}', 'Agreed in the meeting.', X'b38e3a3e4043220dd16de92a7c8c87dc6e9adb76accccb759eaaa947130acbae5a9c59746e00ae9a9ab2bcd46afc55db3cadf8f4b9af154e092d3745e392fda7c2c58f9f06c15b8cdcf1e535b2f1eb85', X'e4c71b177545d4f04a1d154642e0956dc8077a518519937e4ffd5b643e52c3bc6ffc561fb68d1cdeb0549995eba69d4a937bc62ac90fa29fc57fec5d9197a6f9fff4bf7f818e81015916f39d62ad5cfd5b6aa8972d2df4463396d4fd81de03b5f7dbba9c486fa1d39cdbda6db0b5d9fc63cbe2f915bfe53cf16ae7d1761f68b96a4907b68f6148285e9261351cf592e8e62968aca83d1b61c3e63d83b8dd9f3d', X'fc968c93552c64aec4bb45280845e57decf057ede3fdc5ea5f4a22f4db47b6b2', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (12, 1795425000000000, 'adam', '192.0.2.10', 'of adam', 'setting changed', 'setting', 'grant limits', 0, '', '{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30000,"Cost":{"EUR":{"Grant":2000,"PlayerPerDay":4000,"HousePerDay":600000}}},"SpinCost":{"EUR":20}}', 'Change request 1 of ada: Agreed in the meeting.', X'4b9248900764ab0ed3981b258706695946b960dbbe4a08c398c29f020eca289426deba23f7cb5594dc909cebd45b7ef73448347cd9223516087575db8dc65dc93087577b6d577dfc83d672eedbbb5b33', X'f40fcc0177d90a34d29b9a48fd2f1798f205adb3e77155065ef26917bf944dcba6493e6c83efbdd40bffb4b058c18fc4a6e6d4121923556dc83cebf21f74dbd695ece8d21919aeac310ebb1db0a65c8005a11e5a6ecf3e9c6823c69efa6e9bfe9ce9306101b72c831a60d274a4bb5d843f242bfcd216bd5805b168172b2b3d7dbf5b47eaf4445da6db3b821c60d7eb85669d2ac4ce6a3f5a9b49b7edaee51f50', X'640cb647b5b269c91b7a31f0a6f52b2953971a86567b05154444203c494c09e5', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (13, 1795425000000000, 'adam', '192.0.2.10', 'of adam', 'change approved', 'change', '1', 0, '{"value":{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30000}}}', '{"requested_by":"ada","subject":"grant limits","value":{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30000,"Cost":{"EUR":{"Grant":2000,"PlayerPerDay":4000,"HousePerDay":600000}}},"SpinCost":{"EUR":20}}}', 'Requested by ada: Agreed in the meeting.', X'a732828ac1a6746c0a919ab25ea991dc398aa183fe6899d412b33e96824715b00ddd345365e43718aa4d04188de1598b1ab668040c7a82473b507d2d97ae257314e3fa01e43eaa9a6934feb736511370', X'ba0ef8a7cd5a09209f9641061117e5b436c9c9298d791e9d0a2edaeafd47b8da337217bc93edeffcaf834c60192a43b65cd683d63032267f5298108badf656869eb3e6e417e565b5351455a676382f5d6475bc463ec83ee4f285626f7fdd1b59a0607ff091b33d7e43d0eaebaea2044440c58cc8f10f2218e9c46b9157ddb0311fab0ba3fccd296a55f647b9a933c79908768ea8b6c8eef3c233374c391672e4', X'00d56c16865943f0b2821059985b1143cbeaa7e210e7b70aad39ccb2d357ef31', 2, '', 1, 11);
INSERT INTO `audit_events` VALUES (14, 1795425060000000, 'farid', '192.0.2.10', 'of farid', 'figures requested', 'change', '2', 0, '{"value":""}', '{"requested_by":"farid","subject":"base currency","value":"EUR"}', 'Agreed in the meeting.', X'5cca65d16cd953be98d055e50acc5ab75b64b111eec7e0bc4e10422fa739dfdade321bbc500319644c1e0b46eb32b0ffda42919a586f9febc5478cfc14502eab7c723b853c2e0131be709048edc5927c', X'a163cb87d43b042f5c2ca2fb4f9d18da0df4e7ead21400edcac3900ae2ba74dc7a3bb959fcebe629cb4ebec19afb521a87caf8585be82f78fa2be63c9e58842557ef8534c68b76ee1e36b965f05a3eb3a959c66e2abc12539e8f40ea8a1919fdf87d483be0445efaaf54ae192f998b3f7e1cb8b02e454f2265da87ca0d6be57b6ff7afcb3f5c4c4d131642b38822f0bab24b96182f0b8f906653b8bfe7a7a328', X'f1127c2aedf5d6f0703b06e7d29489dbe3e47adc0138c5875d8ac1f9ca82aa4d', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (15, 1795425120000000, 'chloe', '192.0.2.10', 'of chloe', 'setting changed', 'setting', 'base currency', 0, '', '"EUR"', 'Change request 2 of farid: Agreed in the meeting.', X'6343b2d8c2c45ccfd99614dd2749786caa065aac61f02ed3bf449a5d318f84d7adf1d51ffd70e1a18ae299a53cea45f67baf2476c5f49529f4067ae49e63e542fd54c6587a1c952cfd0917f685391bef', X'97584cd71dfa8c0f642172d0cd1d8a9a717ca436b6f50548226a1678ed1cc98c48a9ac922f107570d2cfbacd1c11f382971b4450fdb2fec5e7f5e5677adaf21650718b5e0de4c91b85f9aceda46e20f5572e33d1d892bcdb477c31577ef9450a032b2c0fcefea065de7164ce623c74a235a2874c6dacdea8fd724c6b4101fc035b19d25b1eab21db03397914fdba670be3928105ba9120aed909c54478adcf08', X'fabeada9ac0cd74504c441c083bf072aa459de445cf07b82093303b00d58f5cb', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (16, 1795425120000000, 'chloe', '192.0.2.10', 'of chloe', 'figures approved', 'change', '2', 0, '{"value":""}', '{"requested_by":"farid","subject":"base currency","value":"EUR"}', 'Requested by farid: Agreed in the meeting.', X'0070bc7c879c9fd6d3f6007ea973e80fc1559889ab92f6856f1caf84fc5195998ed63f2074ec9cf65bcce7be303f405aa5082ad1c84a809da3057a9b0a6ac8f6124f98a956a426bac7e6247a6f996fa7', X'd0abafaa7b05ddbe45eb101c6b1a73cd8d5ac839d853c0db129795281c94078c77186bcf6fe58fd384a51b3944f93a13c35662afe50793908e7b5a11a6252add969014a06706774cc23c46eecffcbf31c1ff1310e07bb733c0ff6f85f110b8bfc4e0bb249ff3be89dd63b12e82031cb24f6bc4d611938557f0ffa87a5ec46f1a781726ad9a9342c3ca4409484870adf57d7a6712038a0716f0f106940996a945', X'ce371b4ea2f3327c3e58e335393814bbf4a445548dd03bd7a01fe13bf661c5a7', 2, '', 1, 14);
INSERT INTO `audit_events` VALUES (17, 1795425180000000, 'ada', '192.0.2.10', 'of ada', 'change requested', 'change', '3', 0, '{"value":{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30000,"Cost":{"EUR":{"Grant":2000,"PlayerPerDay":4000,"HousePerDay":600000}}},"SpinCost":{"EUR":20}}}', '{"requested_by":"ada","subject":"grant limits","value":{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30001,"Cost":{"EUR":{"Grant":2000,"PlayerPerDay":4000,"HousePerDay":600000}}},"SpinCost":{"EUR":20}}}', 'Agreed in the meeting.', X'bcb21791d5d035808a1895579150845ba6767cf7a3298dfca53b24a8b5f2435359bc53f2235ee896f7764a20bf2a7442273a4cd58738ea289dd4a25518f26da71cccbfde3d42231cb63910639ff929bf', X'58be30e6d46fcfc760b323a81808eea1f7c8fe373fcc41856605c452ba138ca1a6fb07ccb0319279bdfe53cc38873b3fe74f43cc99b857615cf0fa6e1de2124a99e2da4e0cd712406b8ab5e4e0df0de2c663948e42c1d75b486994a4943d68bb2eb9e6b15fc7307fbdad470c5dde3e7b21f34ba81db178090f8c7a4131226f44f03c987d8113e2e48222be6bdc3171d592c3df64bf8498bd5fb017b52c443ba4', X'fe64711eaf25ced5dfa8549062fe376ca546edf52da927383cc9f244aa6262de', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (18, 1795425240000000, 'adam', '192.0.2.10', 'of adam', 'change refused', 'change', '3', 0, '{"value":{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30000,"Cost":{"EUR":{"Grant":2000,"PlayerPerDay":4000,"HousePerDay":600000}}},"SpinCost":{"EUR":20}}}', '{"requested_by":"ada","subject":"grant limits","value":{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30001,"Cost":{"EUR":{"Grant":2000,"PlayerPerDay":4000,"HousePerDay":600000}}},"SpinCost":{"EUR":20}}}', 'Not now.', X'd48545c2059a2c11f439dbb987dadc3a74deae23fca47314b24ecb8c8829d77bb3a5425e76f4dfd92a23a7aa3824627734b6e903129fbee3c25f1d43cb97c7a33c1a3a18f10f92c4b881cb3d9be4871b', X'8ec255668733482d83d7158aec491fe42739dfa9c2720ecf3a924b77f81303108c74875fa71df36fb553aef63b4fc07f03a9560a32440d0cbbbff5e663a0550ceb113a1ffae72fa67f7625c35200834dfd3683e3d1469241f814d6e30078914189cba40f2fbfd719c21acf24968fea77bbe596e6528132a5f678f07a9b5bc8270a0738a6e93fc6889f15f69b4bbf30359f083e8b7a07081329952c503e35e791', X'8bc1d1dcacc36f5d3e48083a9cd038c5b5c17ce83a2418a6be408243b5a8661f', 2, '', 1, 17);
INSERT INTO `audit_events` VALUES (19, 1795425300000000, 'ada', '192.0.2.10', 'of ada', 'change requested', 'change', '4', 0, '{"value":{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30000,"Cost":{"EUR":{"Grant":2000,"PlayerPerDay":4000,"HousePerDay":600000}}},"SpinCost":{"EUR":20}}}', '{"requested_by":"ada","subject":"grant limits","value":{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30001,"Cost":{"EUR":{"Grant":2000,"PlayerPerDay":4000,"HousePerDay":600000}}},"SpinCost":{"EUR":20}}}', 'Agreed in the meeting.', X'db0fc94a1ea2699657371aa4e6ef3ead8adde7c13fe185f95eac1661ba0eae2dd3e2abc606fbe274a340505c4e6bfbc7e988bb804d435d346fce6b8800c8acc6c665f889f985457abb794e4c15a92fe7', X'dcf5c1223814fa27c8bee3b440e0f99b05664e2dd3d61b9c1f7cf70aa23bee303f54c7281248f09a8b7993fcb9c8b4b66d3ce3fada3abb3112aae2985e2ec6f3ef6d211b1aeebdcb60cd67bebfae736b44e4784e98ac2c5516ff11bcd148f8484e67cc019ef9cf81988df65903dbb6f76d1c3e15a844a99f481480e795adba60074d0be8e491fe18ca593a007287041bfd58806ce53c7c01d677433cf9fb3e61', X'79ebe575c5bb87216bb4dae92b241a1f3853c5e14992fc3cc85c1aebd77925ef', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (20, 1795425360000000, 'ada', '192.0.2.10', 'of ada', 'setting changed', 'setting', 'notices', 0, '', '{"kinds":["case","request"]}', '', X'86e2b00d56bc5d5bc37ea62e8ed01f93852bb62033c18f0178e4b8e6fe0f0ff710a1b5bf4367f9782b6b77adb7ab4dd9644984ee45cc1a80603c096740ad47dc39494594602b8ef510cd87f4f100b697', X'26b2172a3a2136590526f015069dde6a7f8898ead35f56159128545c7f31fa08018c04c3162d3fa39e9a2aab2b19a880a3a366ef59d5af851f849cf16cea920ec1804a66ed438935718b69c3a9b8ce3662689f8fa1e6fc471540450a0d83d93ac62c2d3d9b196d8763f19da4903056720737d7580c5ff443dc5fafd491809fcc07ada8d6e613d3026ac4252339e73d268bf164d4ec917d47de1ced23a97ababc', X'8e1e4b5bf6f4e116a42fbb12dac14a71f4b9f53ceaf21ca23576b7ec06106eb7', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (21, 1795425420000000, 'ada', '192.0.2.10', 'of ada', 'games changed', 'games', 'all', 0, '', '', '', X'0bcf272bc01a97d7eb52c761f1f9fb2166cab171d33425c13c56cef5799a14dce162411a404411fe7c8d00297b2f2636dd361e59f0008974b863f41352ffc53ecfcc9cf3008af93a9801acc7d48df21d', X'd0e11c1b4bfba407793aeefb233076c2e2456e3afd0b128d3a563bcc4cab585629dae6b766f4afb9beb19f48103b07eda430f11f8856d2eb4688641724ea9b3e9ff576482607db1d725c6c329e4cf8b14e2e4c3c0e0df2f9b6331455746c8893ab44e46e83164e5edf50523d579661de87d1bb1b5ce131ac1dd8c925591934d67a86e3073f57ab7e7d1a1b2afeddaea40c25a1bf8fd9078a17b325f4755707cd', X'1693366dafd68447de64404d0ae26a6c326bc5e9714af85d2d3a2ab8c1f6ad5c', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (22, 1795425420000000, 'ada', '192.0.2.10', 'of ada', 'games synchronized', 'game sync', '1', 0, '', '{"added":3,"changed":0,"error":"","gone":0,"offered":3,"renamed":0,"returned":0}', '', X'dabfa50ee480ae73e684aa1cfef542674dbc088ef4d0f87d66e4abe7be73248843f5f839ff9ff0c551b459730ea0bf40d74a3f575dba42109faa93316aa662e100000000000000000000000000000000', X'a2cbde5c8308ce4edd3dd486d508cc396df406fce37351d6e5fb731d5fe6e37ce0016f731842d80342a1c2b484e4f01de65f040b2605d9dde9194fd84b37b33b64e3cc031f0c152e9502e94620d9618c881b0023645fe86bf9d92f5a55f5123fc405fa2f45a8ca8804ca1fc30f4102f330c82bde7a0b845217b7ad523dd488e20000000000000000000000000000000000000000000000000000000000000000', X'2bfd9808b815c03b8ac04c97092f24ca5699937177eae0a873b68a541ca3aa3d', 2, '', 0, 0);
INSERT INTO `audit_events` VALUES (23, 1795425480000000, 'ada', '192.0.2.10', 'of ada', 'games changed', 'games', 'all', 0, '', '', '', X'ff9cfad31baa59b41849d9f6a56bea369507839f1248c0e36463f0c310d33fa16a7bed337ad05b97506de5908ba9d3b237a0259c5e869e4d2707d5f4b99eb543312cb7acf0a5792ae6132a7cc14f156f', X'e105b5e8a409cf8a443c836247145573c504515e09f63c9c543a8fb69218bdb78937afdacfdbd89437e6d8ea1f133555befd0e9d4b934041c545ea06c7c8e45c424f80e6ac2e63c53f07f7aa82c3d8db67daefe123fe3617407cb250d27256d36b829d551b9481d69bd5c8b52fc237388678de34ed0d89dfe19b3160e6066e8281cccd15ac67bf591d3aa9638ff66ea9553ce8a178396eb2365aa67273fd2110', X'c2468d173b3e956fe3a7efdbcfedfa1c8ea1f48d3e9442ae08feeb03034fb1bf', 2, '', 1, 21);
INSERT INTO `audit_events` VALUES (24, 1795425480000000, 'ada', '192.0.2.10', 'of ada', 'games synchronized', 'game sync', '2', 0, '', '{"added":0,"changed":1,"error":"","gone":1,"offered":2,"renamed":1,"returned":0}', '', X'db1ef0b9a382e74670819699af4509d744979965b04906f346bca4cbe9427c2e7b1aa627aff565b5380b145da9ee76647312dfddb7cb95fb91acccd2de1f66ca00000000000000000000000000000000', X'442c9da5daa93ada8cd87fc352ba166ca5ebd0ed9d282ef0fca403ad085cebc9270766a78cf2f98586ae15eb5b99f9a39c0f8336f0b2de44a3f3361f67da993a2bb928eb7ea7a55ccbfbd2b152dda154e39023012bb65f46a3541ec127f9393e0d9e28aa1b3f54cf5496882792a1f1da685dafa5b85aedcea22f3d233fa437fc0000000000000000000000000000000000000000000000000000000000000000', X'4073cd90669b9191782731120b2e37642c19d3892226bccbf5dc0e0bb42c5676', 2, '', 0, 0);
INSERT INTO `audit_events` VALUES (25, 1795425540000000, 'ada', '192.0.2.10', 'of ada', 'player created', 'player', '1', 1, '', '{"balance":"1000.00","currency":"EUR","test":false,"user_id":"anna","zone":""}', '', X'bee8c17ec16ddc3b52e71589e58770b4728c539f4969ba023d446a952ce898ab548612509b9ea4f0f6fc31b524f53fe506bdc11dd79cba014fbeff3d7ade7b2b018998552461aec122a7556419226baa', X'bfb777454809ab32dd3c74d5f704b4ab25c948068a21b1c2637ae11b6ff3a84c62bbf6454eb6d3b454e7bc8d1f9895996d4411936f9f1c728a51f0e12183f1b7953ac137b3a4b0d774aae0122fd90507b3885a77f51ba9e23d61ae5c9bbb6535b89d3f95b5dae67b90800996ba8c7df9ab8e56488b4671a97ab479859245dc4092a4f6ac34e623601cc105fb70775e9624673b11f50dc952af2724a838d39c48', X'ccc61200137d53b31d128c8fafdf12280b50073b9893bb5ed5bb0dccaf02df29', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (26, 1795425600000000, 'ada', '192.0.2.10', 'of ada', 'player created', 'player', '2', 2, '', '{"balance":"500.00","currency":"EUR","test":false,"user_id":"bert","zone":""}', '', X'c769297aa4b34f68ef070206f39f8344811c65a026ee5b0408ab144442588b094febfdec671c97a765139bc26a195cb1e5c9f2c8732991798a544f2a4dc19e7a3ee4676d5dec8cc06af6c2fbdee9776c', X'53651430fa37ae90c6645669b582ba8b606ba8bc1844099530bf23761397f2f8b8b23f78529fc3f4c6820f3645cc9a195e75f6480921c2e8f7fc70b22771a597a6c6eb485c13931e36b35a1fe5462ed7f2a10e5bb52e7a8341cc39b7226635ab8a7a1cb30d37c22e6006520a11c4caeae93c6d5332796f2200f69c9d1641840e0ea2bbac53c5f2c17637ae9b3ee9a0088bc63c390933a7c976bbb2a2b29fdb79', X'fb88a185e0e2c37f7100b344bee3b472d8ea3a39cf2476d1c6fb8162008f07b9', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (27, 1795425660000000, 'ada', '192.0.2.10', 'of ada', 'player created', 'player', '3', 3, '', '{"balance":"0.00","currency":"EUR","test":false,"user_id":"carl","zone":""}', '', X'37cdc7dd7e98163030c644d7e9089b0eebd760631422ad8d8b9eb23ab7db125848a1ddb95de0f226465346835d266f94ddde6785e48b78ecab2b7111ec9382518f1ff74d26e0023925d604fead7d826f', X'f03249fb7a3a90b07dd48f34815cf2029320c17a05250efb6b82a502b99e6f6487dbad132e340ab02e02447e3e60c467de1ce7f23df3c95eba4c6962139e73963716d396c06a906acee645d91ccf0116dfcbb6b4faf34095a73e5fd1c01f862b6e1f416f9332bc3cea2276cf46bd14ca6165f7dd33896f225088d8ecae83812780cf8a57e1da065aa27b333a9ffa1a50c7c20a35c84e57a758e6ee95f5ce7d32', X'bf5d3bc5c6edfff14ab6f85bc84b971346c6282ea3aa53694f3f9edcfc2ad0c2', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (28, 1795425720000000, 'ada', '192.0.2.10', 'of ada', 'player created', 'player', '4', 4, '', '{"balance":"4000.00","currency":"TRY","test":false,"user_id":"deniz","zone":"Europe/Istanbul"}', '', X'ee248055cc8352b1d9ffea2aa5212fc078682a2e68f6c922e0d86c72b5d2921424f63d886953dbc0afb544a2911215ab81a27822ac1a153c0e17273d69309524ea29fc91786ea9aedac4733bcecf2381', X'5c16b7a3af7cf4744665522998d804353fce930e818c1ec081651eff3b4e2f06dbf9ee53adcd3f2d6aee5d3ca3ab9d628cd8b144e4a352e178242409d80b30ed789e5e7cd379d8d6af1c66e61b6106de650dd03029f580729ce539ef33c292dace7ca563b21ba82fd571370f98b0baad2c13832ed60a78789559a912171fb591cf8c2a38324c03a963fb404a2ad8a3a89bcca1e084c762120918a792abb38408', X'691985d23ed66fa488a546bcf0298af409cc4636794496b1ab42e198b1c9b6e5', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (29, 1795425780000000, 'ada', '192.0.2.10', 'of ada', 'player created', 'player', '5', 5, '', '{"balance":"500.00","currency":"EUR","test":true,"user_id":"test-eur","zone":""}', '', X'f7ba44ecc963886bd497381c7b6219df3025d36599503b0001ece65904740855555185d66516099aac0647163dc00171f57015082f5f5d7d104360c1a381e23279c53998df8db764a3fd498b9cbbb497', X'3d9754ae0e527bff41df4ad904cd92d4dc531f40d9c56d251ccdc9bbbfcd73f9d458781ce2dec7dc4262cc4d50d0a7c81656b2b6161ed2147fd13b1183b79b3b3077fb60a16415df73a0c7aff37755fcdfaf1908c210b630a94f40bf844a9f912809fbfbe2b6bd9c601cdd51f6558d413055073aaa6eda32e9d69124c141ed2505abb9291a9ea61972051f48b5baed8f886dfa646905367b25d3e22b2b9ca256', X'4cdbf3b2045664f4dcd4edd194c4ad20e5db4acb1b203ed95b362cd758457b4f', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (30, 1795425900000000, 'sofia', '192.0.2.10', 'of sofia', 'player language set', 'player', '1', 1, '{"language":"","zone":""}', '{"language":"de","zone":"Europe/Vienna"}', '', X'b288294075c30c642fca0eefd24226fc1e79ae86d71646e3664841c07f54c43dc49eac8925bf85c8726b940ca2d6dd951b5c80e9209828249f6481eff98f787c1a395b81352460f126731bfa50c22ef4', X'29cac7780494973676e12cf39f2e07bce79565fd6a99ebbf6402111c1fdd5dfa419eaeb3541f66b5f67658d89c65bdf2eb698a21aa3ff758eb03652c46b7d9d39f88fe610ddae5762d79102bc5f0e5763ce309be5ca6ecf22b84b50b73c299030a194b2a3733e9ffb66a0f643fd241f6ca6b506ce7ccd928e2dede869cb1c25b517ed7268d7cb39a55384897a9b75add9e19cd38c286388c8334e4a82eb9e5d8', X'17779c662cf2973c60d68a49ffd15c6d2a1ac9b0b373c83d29b0eb5428ae3c90', 2, '', 1, 25);
INSERT INTO `audit_events` VALUES (31, 1795427400000000, 'bruno', '192.0.2.10', 'of bruno', 'grant requested', 'grant', '1', 1, '', '{"again":true,"campaign":0,"game_id":"g1","line":0,"player":1,"spins":3,"user_id":"anna"}', 'Goodwill', X'28b95b66ed88bb10f979ab6a96683493a14990e2b7b8f345def1648611c6f49213e244528cfd3733a77c493711c735846158aa82dbd219c18a5a3e8741a36c8064f70db87f8ec733d42cc7c184a96914', X'107df2653ef15d7e25d38f3c9955ba7f4533c12e22e031ec49c566f657a0ea8d80e043b7f175454936e34c816b4cfc4c0519d189d90351a97e3cdcfa4f08c74e1ff96a9b89b73ac3363f5ed63a792d03429986c88a28a78d2b58431d57874653ccfbec2b6175093ff23886f214872dfdf5b2bba7ce0a4103c0c7bc2e5d4adf4980c50cb1d62d074ac5b105497b641a4047191bfc0b12be3af5266d921607ed7e', X'2ff42ade3021a3b7dece90ec9ad433b94d45e7d410917cea81b418c8d3e79673', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (32, 1795427460000000, 'bruno', '192.0.2.10', 'of bruno', 'grant confirmed', 'grant', '1', 1, 'sent', '{"free_spin_id":"fs-1","message":"","result":0,"state":"active"}', '', X'2cb1ed0ef963b1e14588b282472a04a96c28c455d9fbe8eaefae3c9511cd0dd9fadfaf991d43a93095c8451154c365c1547bba3965fe5935e8a966ab4d65fccc881a532d7a98bb07553688572435c390', X'e2d2b6c06bef03209d383ff400358594e6f4e3ead2572a04fee6d06dcde39982b47abb52e3bc28850fe0868cce4de500cd4b1fb76e1f72631324e35626eeec69a2bec1e8efc1c2b4d8ac74345d432e6e3baaeaa97a581387a4df7da670af23af79feaad2e85ec05d5e3417296e4e4b0d8bbcafb491ab720a7ab7fc5b5dc56860786f52114d6f41a9098e36b43ca771d751b64b78f397f709fd89ffbee4bd35e7', X'c05c0f6800fbf2b7bdf9d296d13e197710b402326f6acedcbd84cd5da38db2db', 2, '', 1, 31);
INSERT INTO `audit_events` VALUES (33, 1795428060000000, 'bruno', '192.0.2.10', 'of bruno', 'grant requested', 'grant', '2', 2, '', '{"again":true,"campaign":0,"game_id":"g1","line":0,"player":2,"spins":2,"user_id":"bert"}', 'Goodwill', X'd2d0798ecef6b7f6eef8069a2c2611b5a6cd7931d041dffa8c4fc847c01d4f001f896bb2da44cbf5ba4782d43800c1b19de3d358fcff9a2fcdadcd26c3d8baf87a7fe160f2bbef5389ad659ec9d040fa', X'e9700c2ac0b546158cdc9445fcbe510f7fc164799f0b22e707d9dbf6e554218559a3d65a1fc6083a2f03a8e4e156751b3c87dd0af74bea7f5234a5f83c9413ac53025b65d6ac66bcfa9c7a39344ec908ed9e12c565f0ea4202897b5a14b838151028ff11ea3c777b42cb29541b8804fd98826aa6cc196749e73cedc9b713987374f2529059bd222426c4b47761ef54faca66681aa123dc57d09f921ca1783535', X'21bfcd49f04d37347cfe7ce4d3d1cdbd35228311f69505bbaefacb1432a36085', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (34, 1795428120000000, 'bruno', '192.0.2.10', 'of bruno', 'grant refused', 'grant', '2', 2, 'sent', '{"free_spin_id":"","message":"refused with result 2, no such game","result":2,"state":"refused"}', '', X'ec8ef9739feee30d0ede7e7d63ffc0b135607d3baf04ce3b367d18f25290cb5b4ce304fcef1ca6e1c5b3819198af0382ecabe4008df1e7e05fefa0499852d4d7942b187a24f9330d190a1d93f6895edc', X'dbc6e645d9e78c91be88d8fa6ba10211124f6fbf4884b37c924e03f4e10820405659b57771ba83035d507d53690d032256195da1275e9d69cc9a8de97d9b93af8fd6004347dba92bcb419ac9ca38659ce09ab267e0030a94066c8ffc257a38b6ab9604f20cafd6f9de5e8228477d2a6cdc9610afb818bd759348b2b44b7a5bddccce9c6817845083192c5f72a90102d3fa104029db1ba394c2be3e80ad5201d3', X'09665d79e0738bbbee26dd0e67bada1fa52011528e814cdbfefe207bd2e71096', 2, '', 1, 33);
INSERT INTO `audit_events` VALUES (35, 1795428180000000, 'bruno', '192.0.2.10', 'of bruno', 'grant requested', 'grant', '3', 2, '', '{"again":true,"campaign":0,"game_id":"g1","line":0,"player":2,"spins":1,"user_id":"bert"}', 'Goodwill', X'e050e6a86183547ec3ff7f74158756a9e29e838c56bc97402fb5a636c3330391cbb51b835b9b32e5faf78058025e9d7f149b3f74796469755db0afaccd5c3a58bae594023b5e74cd72219971cc975533', X'61506f5783587fcac9d31c901136fa2f4278f8b3d41b5b0d9f1ab7dc3a4e1fbf585245f22f9802fd2214f2570375a47b53f9c3cfe30b930d8948cf9c3df9bffec8a889a265dd2bc2b274feb8606e9303e50b87ee4e79e1d86e938dcdb1d8978490af121e67060aedc27a80cdb6407e67d3a28877c0ec15ea5b47460930cc7f4bafcdf700c28ddd19581ae933e0641d469f3e6901064ab0392e82fdf5562ccccd', X'd8d8fc2028b95b042d1d5593e81ef6e8b5405fdbdf4150d744dd8aeb2f0a01b9', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (36, 1795428240000000, 'bruno', '192.0.2.10', 'of bruno', 'grant of unknown outcome', 'grant', '3', 2, 'sent', '{"free_spin_id":"","message":"The platform answered with HTTP status 500.","result":-1,"state":"outcome unknown"}', '', X'30eaf55c4a2c4da36953f7783cf21e4dbd7321536b3c7fd6aff88c30581b62c379b8d27b3ecf20b1b891560889d65e18f08d20b73191018050fcdf03598f8b698fdabfdd2105f59908e9de83f3b55803', X'1f84d6df4a6b6da41ba5c920657ab257fcf5f31ddc4ba263bfd53eea388b068095941a3c14283544943cb51a320fef9f7e76060d80cf8d112b650cb7094bfe785052b48bddab565b98e86456e7fc61ee3ad0ac8df77edaedf605564df02f67e19387967306d71df54ab09f0f82ac52408921df3d561f75cf233bdd413dc92af596a628e873cdc54e73337d20b49f19a8d6388c8cc2b269c186e1bb34f67519ca', X'e3311f031420379bf31b7b7da025332114ad6a784772d911b2def0e5dc1a6f06', 2, '', 1, 35);
INSERT INTO `audit_events` VALUES (37, 1795428300000000, 'bruno', '192.0.2.10', 'of bruno', 'grant resolved', 'grant', '3', 2, 'outcome unknown', '{"free_spin_id":"fs-found","resolution":"found on the platform"}', 'The platform has it.', X'e28c79063c31ea64f2e0216ed89d47a5c6bf4375d72775e3eb619db8966d63d2ca60f365f0f8d9f31ecadd914963274272a440e5022e9f0cd707ece892dc28a67b242b1237d576ca1730c9cb6f1cd9c3', X'1eff64a758aee4b26dc6eb70185fa048afcb3719db40edc370113a4601685d71a562bdce00d062d5e85481bbad5d7718c5fd43173616f92da7651681d1f47ae5efdf3c39b184d7a7084348ef80c5d893bce0cf2cc56f17ce6b6b2e55eb1a957c3ad7bd571d3a6bc386e70e9b7436e0a19640a4912d77d7981c2a7b75946a8c9f625a71c5f50064dfc3113120a965e8fe4e2de438a908f3525d7050bd5ab95f6b', X'03e6fe9fd5c6dc8830dcb2a0ad17d8b8fada1995b6c0f0e489b173fb3e937f18', 2, '', 1, 36);
INSERT INTO `audit_events` VALUES (38, 1795428360000000, 'bruno', '192.0.2.10', 'of bruno', 'grant requested', 'grant', '4', 3, '', '{"again":true,"campaign":0,"game_id":"g1","line":0,"player":3,"spins":1,"user_id":"carl"}', 'Goodwill', X'676e15c7ead00b525f6e2ed5c87cbcfbbd53a7d44f3e596eb4bd6e16c267ecaf36ea08d2219305401e94e7cba8dfd203cca61e5a83206bc39fe728f08249d6f86c709cc63e2bd8c37351233d445cf0db', X'54c57ef5a590b6de82b982a82784c482d5b4e6bdb764e5c2d04fc40595aab24a554d51399c26cfae980fdb6082988564911d0da9fd8cb2ea1dfeda915b7b84fbb752e1e1f3eda30881a6ccce0455b14987f39ef0592bab6f677a5bd2d44b17287719b8144e049f31f9d5297f86183bdf5f3d78b98857095e88718cb7f0e680c546d971a520b36b482967f54b745a8ef5a9556e02f507e371afe72799945811a8', X'59c8058cfeba21c1aa40d6600b75e9b86307166cc9daadea45dd74c2c4a16c4d', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (39, 1795428420000000, 'bruno', '192.0.2.10', 'of bruno', 'grant of unknown outcome', 'grant', '4', 3, 'sent', '{"free_spin_id":"","message":"The platform answered with HTTP status 500.","result":-1,"state":"outcome unknown"}', '', X'54e3498733127232f7732d1840dab5f0073a38edf103a5d7294e5949c8c1e851b54ee8ca1e7a76d68d836f512a7622634ed67364102db77628c7ecbf1aea24ea4add2ac55dc247a33539446469ff78fc', X'92083f684e751695442057a0e30cabdf4a1552b33ddb68b0cb17e05646e46b07cf4e4e27380068680e9105f17fec3cdb173cd2620c2a050968571a4a20a9585932bc491c1138840f3a2c78376e1906a3b77fd3749c73b570dbebdbe587600770eb5f5076add4ad82b7a076beafe0103836b1d4521dfe0e0085c978dc16d7635d9db164ab0dcceda12f0e9e1b457fae9b24f0e493c6e741ddbfc1c1269dca5a31', X'59e23cd25c95388ca319209a63e4880a54208ae7270b86d3def513ec8357c978', 2, '', 1, 38);
INSERT INTO `audit_events` VALUES (40, 1795428480000000, 'bruno', '192.0.2.10', 'of bruno', 'campaign created', 'campaign', '1', 0, '', '{"again":true,"budget_cost":null,"budget_spins":0,"file":"Loyalty.csv","lines":2,"name":"Loyalty","spins":4}', 'Loyalty', X'853bcb4430756d40ee97642d5c2c5dfa4165b7681b10238252def0b37a33dcbd04df1f85ecf663c991ad8708ec6a376e5f29d3abcf35f103ee53fcc6225e9570ee4549aec5d6c25ae6aa1ce751c7ff27', X'959d070f91d1735f2caa1a65893974fa284217d2ca26aa79f716caaf641053eeb2f7c4dee05cf2560d9b8305781afece9997cf0290777ec6d36da12b0c9342f67bf4a1000879005b69e74e5fbdee27e774a2db101c4ea0323b7d0d3639e25bff0e679810c3e40ebfc4ef17a315093fd1a62ed129080f01972a27a5511974cb585942d2e95b00703df95a9b805afe3ed7133a78d801eb550ac1d0d3ad7b5b090b', X'29f81834888b90b5e54859902d7a86fc1bf32c76d3967411e0678ceae8976729', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (41, 1795428540000000, 'bruno', '192.0.2.10', 'of bruno', 'grant requested', 'grant', '5', 1, '', '{"again":true,"campaign":1,"game_id":"g2","line":1,"player":1,"spins":2,"user_id":"anna"}', 'Loyalty', X'db009ae1a07b1fd7b22da045c82bae06298d12b94a09420af51c4e92b72fc5e9b8ba703989c721ecc5448a318eac8cf6fd2d105c523183db9a2cf3e956810afea3f41c5992e4c0182d0bfaffd7db044a', X'29360c63de25ff57b270d7b340aa8802cf343d2e2bfc4db28b341e8d595f8d2a4ac9fcb7b1db1f50c8f25c28a91232032af4938c006de0fb3b1e4b95c72e6af790834408dc070400d701f7f20a00c061f2d7a2aa4ca247afa3188dc1a679daafe604342a8d5b770f4ccbd82703bed0838c444733caf8feaddf24cba63c9fc4ab8d9835f77f466f3ea0f4bf4e82f110539efcb1a0f1f761718a379ea53ad84686', X'cceca8f7a216fae1635bb3ce41b1805d2cc72c4f9ab46c82208f75fbd7c7841f', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (42, 1795428600000000, 'bruno', '192.0.2.10', 'of bruno', 'grant confirmed', 'grant', '5', 1, 'sent', '{"free_spin_id":"fs-anna","message":"","result":0,"state":"active"}', '', X'f65ce496a1383d5025571994e052e7b5c885c855088e8ffcd7b605d21cf66b163023b62987793dea46b1359b137cdbeebe57f114ca000d3ddbb9a850bdb84970e2a2776f3454df4eb4a80b411f6ecd62', X'0a2ad8eac4b91825fa4edc6635b66c56062abc7fc612e212ff8afb6e0922c45cb3be07c2b465e33061fa53cdccdc77034790e06f9739b385846f900d983c2d03e2a0a44a10d9b1d9a4b46307791fcf0dc50f0e2cfa383ebe70b1cac864c1c0594ac41274859eefabb4e125f5790297f15340a12f50b4b29fe54b1e7e0830456b1fda67e3ffa5cbf0179062ea533e1912efbe60ee184490bb6e5193abc7407ecf', X'36e099030c028cb79f13a2bef8a05deea41acf7f97999910db8012e47775f88f', 2, '', 1, 41);
INSERT INTO `audit_events` VALUES (43, 1795428660000000, 'bruno', '192.0.2.10', 'of bruno', 'grant requested', 'grant', '6', 2, '', '{"again":true,"campaign":1,"game_id":"g2","line":2,"player":2,"spins":2,"user_id":"bert"}', 'Loyalty', X'282d9647f30ef20f3551e2cb2f4d1b8028e27837bfb5d4260011724ca2240bfd3d2d61c66178e5a9509ffe3bfb962eadc58decf6ab2b8bf0acf1d2459261ccd748c6be75de47d6f6fb9fe7c04d445e2e', X'1c9423bde6139292fbb278c5149f2728d1ff4e4e2223e1d753fd16cfffed6e92eb6fdd7dba8f73e439f83ee57edc2926678c0d20e48a28e27dfda7fc0daa8fb70bfba28f5e1ac297955fb23966fda5d4ed6606e9a36efcd188caa96a0245e7454d1e0bea3a05000d75872166da4fb08054e36e3dd0f302aceab69d45c4c25ab16c9d3ab789d11952913c5d20f865b85fb5b32a990b0396b15cdb756edd44d18d', X'2cd6afc4a91e0892670b6f5f506a7f5e78998b658c5c8d66714ddf5fff67d0b8', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (44, 1795428720000000, 'bruno', '192.0.2.10', 'of bruno', 'grant confirmed', 'grant', '6', 2, 'sent', '{"free_spin_id":"fs-bert","message":"","result":0,"state":"active"}', '', X'e7d72f8ab33be8c0426a573641bcf66630d3820306fde35a7150ecb487e4a37c9a8d1f5622f75bf1d395e5af821170dd544d5d3e9936fcafc41e14630437e6ddd75e6430d4a5ce1a351b37c93cbfa832', X'72c22bbee0b34dd834f2ce73c1de4038aea174d5f83ca89794ba5bedea41488dc43bc560e3e97f72aaa95b3f9c103a613d0d8ffb7dfb519a8b7982bffc5daa441ced671c95cfc24570e509feb8fdeb03276125f33beed321c0a18cb01dc398e20e10eb89462fc2dbbe85910812117c067bd5898d6155883962aabeec4ac8e9500337e3f3e5181f9a5e022ffba770a9392fe262e14ced80a3067db3dc824961f5', X'903752c388b8310dbe0d73126a90ba0a3e5f008bb83a1bb38a4e1648801c3ec4', 2, '', 1, 43);
INSERT INTO `audit_events` VALUES (45, 1795428780000000, 'system', '', '', 'campaign finished', 'campaign', '1', 0, 'running', '"finished"', '', X'2617c153c6db94ce5f6b9b10f8dd6b6bbb2328c99243615bff58aeca492b3409f7328608beabf9b56f868c02d613e2a5afa9739a9b97361d0360fdf6fa025172b8d7b3f263c7d931f3379ce261761c57', X'109513e50ddd262f7ce9d7b3fa68e81fb577612779fb9e5d872a13b8c7d596883d67b5894f7269baac47efa0ef4824af5d17f2662723d571b72835453752941890718b7c2416cd20abd9b5510e664a2ca06c02b1b3ebd6216bbbef9da0a7ad9a239cf08fe9aeec004d361e6aecd3ff39c1b5485aeefa83141eb40981cd93c42b0a41dd9b022d82c045945e232e456db480f2fa3de5a99675d08a95bbcc55d71f', X'b50e3afcf498a634a3122088ade24abff77436a28bb60f0904ef198fd49e72e0', 1, '', 1, 40);
INSERT INTO `audit_events` VALUES (46, 1795428840000000, 'bruno', '192.0.2.10', 'of bruno', 'campaign created', 'campaign', '2', 0, '', '{"again":true,"budget_cost":null,"budget_spins":0,"file":"Paused.csv","lines":2,"name":"Paused","spins":2}', 'Paused', X'de7b77b42b3f0e4ba5af8180dbd48c93957e03b5ac97c44d084f720c588f5c5fd92cf635ea1920229a35683a7bdc54d7c63b99d9b69f86b372110db7b1f66e2d6a061825a7273410dccc6c2266274043', X'fc5e0af28b5a289a14beaa4a320d519bf59cade85c4c63ef182768c0a98fd049ee13d9c3d26d89656cc2ce554950303b825c3a08a8e9dfb1c19eda7d37fc35621e97e266ae11176d1fd1a10c7228f8b1e671daef161e08b2e8bbbd6f91975cd8e40b1a8fd7308c8fd334daed4413c7cc1beada7b182606f6a207fa870d6341003ed5217331561a528c41164e4fd0585b239d2d185efece1569e7d25b3f899b1e', X'9a1c75cf6928b88696dc4c37da27fb56158df3bef47f26b4f14c77af8b022b79', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (47, 1795428900000000, 'bruno', '192.0.2.10', 'of bruno', 'campaign paused', 'campaign', '2', 0, 'running', '"paused"', 'Repairs.', X'7b1cbd10e28be911e7687e28491c342817cc548b30d60c710272057f0a139b4585a4d8f6ddbb5d2a8defb96f979ee60cae699e22af167fcc141f6f2eea915f86a40c499f763d2c34575e24537d090206', X'755879523c54994025d8d4550ba10fdb2ce4100f5079075439b24c4194bce571512804e7b1a0648a05dda54481bbde4a469ce1adb009ed63a70ad662ec1e81b4f707ecbe218d9e478092bac1120a540220713c15fa76b135208705ff94eafbc2b872996037436b3ecae4ec07f8ae75595665b9cccef2c06055a06259c5e38291b37b53df4a57889a2b188a6f543774b1d191d44d95d458adacde115c8a93b9bf', X'0c49a36133473363331ef5d623e4971453285226d13852ce80a71f3619b3e55b', 2, '', 1, 46);
INSERT INTO `audit_events` VALUES (48, 1795428960000000, 'bruno', '192.0.2.10', 'of bruno', 'campaign created', 'campaign', '3', 0, '', '{"again":true,"budget_cost":null,"budget_spins":0,"exceeds":"over the limit: spins in one grant, 50 allowed, 130 requested; over the limit: spins to one player a day, 100 allowed, 5 used already, 130 requested; over the limit: cost of one grant, 20.00 EUR allowed, 26.00 EUR requested","file":"Refused.csv","lines":1,"name":"Refused","spins":130}', 'Refused', X'a4e17b183254b3069661c8183d01a254a968f9c2bfbaaf22df559fee8dd6b49a48493f8d18a6b33cfb66da7fce113436075b01003ab7c477f14fa274418475e651cc597e36ddd4d25acb46b0703be0dd', X'd4fae8baacb315cb298eb8d35a6b1ff8dd49a31913d9e6ef59948549e05e875452302989ff991c7f993a45b49fdf466cac71f0a58d6e0dac4f8c0781eb6406f035884175db5c68429edbcd5f6474118c32b388d177b3acd9cd0ff2be340784c0b4fe23e0d4d088cc3a2211556a950cd33935783ee760a7b03185a2b091290c126e74a180ec2ba5418d1e6e9711f03535ad47d364ed97aaa349f20f953e11e9f8', X'58c5d728d6d2333880651852bc0a0d776fd54383799637f3b2b38305a1746c70', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (49, 1795429020000000, 'farid', '192.0.2.10', 'of farid', 'campaign refused', 'campaign', '3', 0, 'waiting', '{"maker":"bruno","spins":130,"state":"refused"}', 'Too many.', X'47c2e6302e1f3e127706447d7373a84bdeb9f648ab6b1e98edd9c7785cb4e13708acc5b72713b864ffa728dc33087b9d2034f21220bcbdb81fb508ca3f648c26f96ae60c810bc00a3cd86549141dd061', X'4972916bedf2e9151af8886b133fe8a160fbe9733aacc3ce868826926c9a82db561699d3f364c62ea4501c70f0611332352b5fb68c208feebbe80bf8121fc179a92cb680ba95b3d4a219f925dcfaebe8e002c7122a505d99b2a30e96b090fabd82ab4660cbab8213e09423711084da3b9c3c7b7a87cc84bc1174c30d859d32005a5e8aa06db1cee31792dfa65e94d1f852d4eee230ff2218277d8406746a51c4', X'e997fb02a7e05c2a50140d8884093888901514037be8b1fb9d09ef558379f490', 2, '', 1, 48);
INSERT INTO `audit_events` VALUES (50, 1795429080000000, 'bruno', '192.0.2.10', 'of bruno', 'campaign created', 'campaign', '4', 0, '', '{"again":true,"budget_cost":null,"budget_spins":0,"exceeds":"over the limit: spins in one grant, 50 allowed, 140 requested; over the limit: spins to one player a day, 100 allowed, 5 used already, 140 requested; over the limit: cost of one grant, 20.00 EUR allowed, 28.00 EUR requested","file":"Withdrawn.csv","lines":1,"name":"Withdrawn","spins":140}', 'Withdrawn', X'7458be9f752cff1f8754ad73788d19091fcfb9e6fc9b7763bbf09e38c0e7afe9ed0fe575fd7fd5f15ea54683837a2042227a32585d7dc4a329b025856709ae7651d0dbcc5caf4904869dbf823b1271d2', X'75e425fba7891fbe9f841506aa6588f80c289ce24dbee08f6b02fd3e678bf073dc5fb8d7485f3c6443c3ba46958266af377004046089f189bd399a0823bb1d6954cd32eb537b6c5db8624c2b05c52f3c0272a67cf64e6c4413d734922d80f722281b85744b63590b19ba970d2c9323cdd7112f19f0d9689ee98ea714ef04a3bab0f596cda0aec0ca6e21b629d231e92f2960969be2449808f3c58fc6457f83bd', X'c08af3d7de444f11ddc0c21f39f28ac1ab0d1861e6bd450eb3e0d0f6fcefea4f', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (51, 1795429140000000, 'bruno', '192.0.2.10', 'of bruno', 'campaign withdrawn', 'campaign', '4', 0, 'waiting', '{"maker":"bruno","spins":140,"state":"withdrawn"}', 'A mistake.', X'9511cd3e5e1fe3023be784437bb26ba6db333438584fa08fbae36d69b5d8cff52f4c49268b72412a50cfd8398287aeb2a904ffc91294c8e5cd66d3f89a4c940c4f23e6e05a112a6736e3daa86c834990', X'f0e9f0d758906d4f89a11a4aedb1fd79fd9e32634d731fb94cf7a400aaa0ca71795e35aea11a8e5148e17eb57d8570d1c97b46d754bd6a9d2fea4e9e2a5e076ee7e3921226bc27d31822b2e3fd4f7750d071ff15c73553537a6a3333cac354f952cf45da7ab3917e56895422e9012df6bde3342aa8234eca71ec6d466eed18e40efcab5ef66a2166d26f6afafb58a44892719cc433e6f77ac60b42b2cf630db7', X'a455f1f0eee7f8b423ca671200adcc4bf8bfccf548c4e532db1f4a42272bcc73', 2, '', 1, 50);
INSERT INTO `audit_events` VALUES (52, 1795429200000000, 'bruno', '192.0.2.10', 'of bruno', 'campaign created', 'campaign', '5', 0, '', '{"again":true,"budget_cost":null,"budget_spins":0,"exceeds":"over the limit: spins in one grant, 50 allowed, 120 requested; over the limit: spins to one player a day, 100 allowed, 3 used already, 120 requested; over the limit: cost of one grant, 20.00 EUR allowed, 24.00 EUR requested","file":"Approved.csv","lines":1,"name":"Approved","spins":120}', 'Approved', X'fcfe4a4db2c4eec84002d3b81b0787a8f20307dd0ff4bdb527c814f1d435ebdd70734d057cc5100b31ca12288467fed5f935c8cd438acb57ce07260176bc7c2d7bcc1e54996ae3fe1e40c4502827671d', X'906dc212185f66f2e65747465927a3dfd5f93503233c1ff424cdd83c20054d7270a66205cde0755ede2f7236d01de0cebb9ac44983279d41669eb96bad0deef3cad2018271921e9b7d5fbab6f56a0b1983656d3344eac67e32f5ef313e8aef14309b846816862d4c640e02af160183e1977d94dd568eeb67ca93662ab78856d17170dfe692e44c30ecd2cfd4512d07c4a8fce2b8f4560e174ef6bd5715faf8f8', X'7229dcdb56dae618f4b47babdf0427c3f14bf6d60f82f18e7f244ad64ab2ae82', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (53, 1795429260000000, 'farid', '192.0.2.10', 'of farid', 'campaign approved', 'campaign', '5', 0, 'waiting', '{"maker":"bruno","spins":120,"state":"approved"}', '', X'7b3d75ca41dc91ff01341a2f9d4d6f9fa2301b124f2eb22d1d5e294421c3ac4ab5345d0510b7e7ce71cb29c4db84a1851e2c3c1659a432c25519179fce9d7d939746b90a95b231e029cba757bfab1f28', X'a92e1225e91f6dc1eded91ef16b0ac0234448a4f1875ce53fb076b5d40c65235273ad17f15ab3fa297260b233140d8c454f8a421eed01730847504f7eb3526f8a6e339edc990e87e4c454716e8af616c73f7fd2970a092155522b16584c4afaa1f4584b260223433c9dfac899a02134c43d2ebbbc2e22b19d268cd8243c7c5171cb6bd9dc2e6da995bfe5fe0c1df7006a46549cd34f7b3c3d06b2913d82d0aa5', X'770d836424c3f4be13a181958ef2044a3e2993b8d10054058217a0dbd6a80385', 2, '', 1, 52);
INSERT INTO `audit_events` VALUES (54, 1795429320000000, 'bruno', '192.0.2.10', 'of bruno', 'campaign created', 'campaign', '6', 0, '', '{"again":true,"budget_cost":null,"budget_spins":0,"exceeds":"over the limit: spins in one grant, 50 allowed, 150 requested; over the limit: spins to one player a day, 100 allowed, 5 used already, 150 requested; over the limit: cost of one grant, 20.00 EUR allowed, 30.00 EUR requested","file":"Waiting.csv","lines":1,"name":"Waiting","spins":150}', 'Waiting', X'36f09488328693e54c0501237ca0290e10200537c0d425d4836abf4bf9501b7128360d71653a5e46b256e6a68afa57ef27d4ce377c5ce256916cbbc8ed865e273a7196a2e1629af01f83d9f35986051e', X'1f0e0ebc440b5f5410f7b2b37725434c2bac0294a2a74d06d6002f3f209544ec16e397214db5dbd65303a70b9d2cb01a39b8a3161f935de55c2b81209bf15b0d7f061b07c08da34029fb566a635b8f9d977eda3cfe41d3758e13f43a3c986ae700f8352a0f4afc4d29b4e3b87b394fe04a411b066e8d618b4d1c5954f9e7fcb132740bb88f29af3ceb4b4b35cab33895de915560124551d8e551a375f3e722f3', X'bfbb29c310d05c363aa57314b09827db743e737b413ab0994cca12a1bc29be08', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (55, 1795429500000000, 'sofia', '192.0.2.10', 'of sofia', 'game session requested', 'game session', '1', 5, '', '{"game_id":"g1","language":"de","player":5,"user_id":"test-eur"}', 'The reels froze', X'0ee5a341be70ef50de3a81481afdab06b982f07261df12b15390a147cae90235e930488eaebbe6da175aaf21ab157497e340983a32019c67414f66a26ea433b800000000000000000000000000000000', X'769b640db43bbdb8ddb1f52628c8864fe115048ea380dab599ba16ea7cacb52dcc807c0f8b9b0bf794331f668d7a0f7b6dc0e9177fc903d67653afa2f91c7d34c2d9293318751414e16ddd3dcd8ad8365ae25febc498436b51240d6300bbcbcca2a110db5a500ca9b8ef48b7ae5016bdb0b6df4bffe908959097f48efa87b4610000000000000000000000000000000000000000000000000000000000000000', X'53eb19f252ee9e0a3b0ebb67e7974b42c8e28ca53bf39a8a1785f6fa6b397fa5', 2, '', 0, 0);
INSERT INTO `audit_events` VALUES (56, 1795429500000000, 'sofia', '192.0.2.10', 'of sofia', 'game session opened', 'game session', '1', 5, 'asked for', '{"failure":"","game_url":"","state":"opened"}', '', X'1448656e71e5f18dc7d9d1641396582f98c47d38b0fbd977676eb8bdc7873a9315ea301575811d5106ba85bca236d6def3d9399cdc5c4cc0c81ddbedd61e77a300000000000000000000000000000000', X'032e06c5156cf4c7c99587fe8b95ef8a9542a675d9213f2783c58b930c9fdcbc6ef508b0a3c85e975ccb8f0c7d92a83832fd7433b1fc90d203223d0fb0e4625bc44ebee21382d2c0e8e8be26a5b02ae8e126cd602947063c2a5cab73c795a41e1db7f9cfede24c2f67ff0b7c4d8a2983c7aaa689202f1095fad77cb90fe3536b0000000000000000000000000000000000000000000000000000000000000000', X'4f35445d16c0480d1e382ceda26a0cb8b9967db994d7b07864a18ff531f933e3', 2, '', 0, 0);
INSERT INTO `audit_events` VALUES (57, 1795429560000000, 'ada', '192.0.2.10', 'of ada', 'change requested', 'change', '5', 0, '{"value":""}', '{"requested_by":"ada","subject":"API client","value":{"id":0,"name":"cashier","scopes":["players","deposits","cashouts","launches","grants","read","restriction-kinds"],"networks":"127.0.0.1/32","test":false,"per_minute":6000,"cash":"EUR 500.00","cash_per_day":"EUR 2000.00","cash_per_player":"","approve_above":"EUR 20.00","webhook":"https://127.0.0.1:9/events","events":["player","restriction","grant","game session","correction","cash-out"]}}', 'Agreed in the meeting.', X'b94f7a148cb162302d87474d4306c7bbd603551bd4fcd5fc7dbb9b463e1a00d24276a292509e7f46de290921193c01fe2c19bc6f3042250c6d2f63b7c1e1f59d0189b3954d697fb54b1f149534c4d847', X'b019dab1a5d1560471758c7cf7530507016ed8f7721830b769d9f444a1b3ddbf9793d3120e336d5caffc3299a06d12bfa26ed59654d30225ffbd53181ea3ba87819f08b4120aeff4dd0ce71b9a8c3fb018d381b364a7235cbe81f3f93fb71b9bc9801c76164af836b18b9531e13e31ce55470d81937822f836239216832e72784d543bfaa300f3b0e40ffa3fee37af695bab1bf43ebd0dbc3dae30e62f303f09', X'd9ac19d1fbb60389b95810284e1aeab75103a1552948bfa718a50f3089d4ad31', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (58, 1795429620000000, 'adam', '192.0.2.10', 'of adam', 'API client created', 'API client', '1', 0, '', '{"approve_above":"EUR 20.00","cash":"EUR 500.00","cash_per_day":"EUR 2000.00","cash_per_player":"","events":["player","restriction","grant","game session","correction","cash-out"],"name":"cashier","networks":"127.0.0.1/32","per_minute":6000,"previous_until":"","scopes":["players","deposits","cashouts","launches","grants","read","restriction-kinds"],"test":false,"webhook":"https://127.0.0.1:9/events"}', 'Change request 5 of ada: Agreed in the meeting.', X'a2f847ece3629299732b11ac04cc21ecd3e6c5e4854ab2277d3c7f5c85beb01a596c38619fdccfe6dbbea8f5f7b9b952b136c3532c7c496a63e498bd1d21305f1d378452ea35c0a122d4548dc110d36b', X'9533f3211c11198b511f3899df239c6305e77106e03541954ede00a77bd3b5f203975d849bbd0eac8e687fdef2b5df38e5940328d95c99ff1e78be3aa8dfff847870217520d778c015e41408d78f46066bc1ac1a2f3a2201e077471d60347a4e6d98513cccee9dc500ca34cbdd147f3e60472ef3f4c3499e56fed63c743763b466a73428383c4c3d58a684026fd225119afa6ee86fd3adecfe2e60fc3c220b80', X'754a0d75bdbc4f09976b8596d47982f28956b64d8a0d686d1355cc3460bf61bd', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (59, 1795429620000000, 'adam', '192.0.2.10', 'of adam', 'change approved', 'change', '5', 0, '{"value":""}', '{"requested_by":"ada","subject":"API client","value":{"id":0,"name":"cashier","scopes":["players","deposits","cashouts","launches","grants","read","restriction-kinds"],"networks":"127.0.0.1/32","test":false,"per_minute":6000,"cash":"EUR 500.00","cash_per_day":"EUR 2000.00","cash_per_player":"","approve_above":"EUR 20.00","webhook":"https://127.0.0.1:9/events","events":["player","restriction","grant","game session","correction","cash-out"]}}', 'Requested by ada: Agreed in the meeting.', X'60386e3611af0ba7561a4ab45312febb7e3a7801a0c13ab42545f43d71ddc6040f9fdc0d9a179b784999ff681e678f3ffa23f61187c98feb609949531a61f0f7531a89e8dc095835e78cff4f12fab728', X'6bfc2cd930ed00c8a20b52cf53608ef1b2dd2c4c0e1fc2d105b06ce2467ab9c570869c1a55e8b27f48682e6ec6730bb656f4b348180d8c2f22570bc28badad09512a9c90f245ff3f24b37933fe162336f1532506bfc8a2e8ade786ec9d71ccb89452cc2052454481a9cb42543a51c49e2fcd0f59e1b80988830377a085405827e9cfdbe08eb9cbf7bce5b666cf9d2f21f05775cfba51c00fc06f07cb0d75e6ae', X'a1f59142dd78e7047a322339dc664ae899e023b541e38c401989c17383b5bc36', 2, '', 1, 57);
INSERT INTO `audit_events` VALUES (60, 1795429680000000, 'ada', '192.0.2.10', 'of ada', 'change requested', 'change', '6', 0, '{"value":{"id":1,"revoked_at":"","secret_at":""}}', '{"requested_by":"ada","subject":"API secret","value":{"id":1,"name":"cashier","first":"40d854d2d6b26a34c1b02b623aaaaa0ec6e38f82b1f40d0ca8ecd0c7d44c5e17","overlap":0}}', 'It goes live.', X'966eb5cde4b0fe3c3bde44b4e70fafce49508f36fd61e0271303095ceca0ffed6172713da9e359f936adde861db95eeab9f47a3e2d35f76a6ffb9c3122ed81fcee9b548ecabb1c15ad6b66aca87966d1', X'18ca4cca0dbbbea8c5b21613e710ec623056409054285d5ab2be4e0147120c365a5452a880bf52874b5953653cabef38eed423cccc51a378512d85781dc4b71709f8d59698d0a192b4280155af23725a4de295584ee7256cd5e26d45696e42fda489015a037a7e27c12c0991181f476b72dde2092fd8029c2ed7782e50d586802744c3388ccd3c46513c53693856faceed30c5435d5f98c3926081b84fef10fd', X'335705d51f49f38396138fc7bf1fc2cef1883bfe6a9ce4ca0037397624585b74', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (61, 1795429740000000, 'adam', '192.0.2.10', 'of adam', 'API client given a secret', 'API client', '1', 0, '', '{"approve_above":"EUR 20.00","cash":"EUR 500.00","cash_per_day":"EUR 2000.00","cash_per_player":"","events":["player","restriction","grant","game session","correction","cash-out"],"name":"cashier","networks":"127.0.0.1/32","per_minute":6000,"previous_until":"","scopes":["players","deposits","cashouts","launches","grants","read","restriction-kinds"],"test":false,"webhook":"https://127.0.0.1:9/events"}', 'Change request 6 of ada: It goes live.', X'90d5576b4f484ca6c75543dc53d93de8bedfff7449d5722177dbc1faefd8f9e49c77b1a6f5578dbd72a176c304a88895d595e44f90daf38c704e97328c64abfa36240c95f317747a1117b8db49a0f798', X'3f4ab99094a82aea6e3f5a05bb15d0e0124ed4e5b476ae4c49faebccf43104b82e26aa112e4385e82ec1f725344a5ea2b161028b8067ebae7969a440916d2db4f13470985c781e229a81c9b54aff6ed35c825aeb30fcbe8dd6cd16be24587310c6a7ab83c8047b9991c2370e36da7feecdcea2bbd086d631070e7c3b1d17018ff397746cd199603889204d6ed9035132aff0ff1580f07e4c4ad238f8916c369a', X'66d29c43245d5a501c78c706ad1771b453c46eccbfa589db312928ae61ee9cd8', 2, '', 1, 58);
INSERT INTO `audit_events` VALUES (62, 1795429740000000, 'adam', '192.0.2.10', 'of adam', 'change approved', 'change', '6', 0, '{"value":{"id":1,"revoked_at":"","secret_at":""}}', '{"requested_by":"ada","subject":"API secret","value":{"id":1,"name":"cashier","first":"40d854d2d6b26a34c1b02b623aaaaa0ec6e38f82b1f40d0ca8ecd0c7d44c5e17","overlap":0}}', 'Requested by ada: It goes live.', X'c056df2bf30af3be6a2810d65ca998e01c0023ac50277abb38a2e64a8750c83a425c3951b0041a2705f78005842ed0ce174922539696a49c511ff75d30834413ae544769ce61af8e9b2cffacfaa0d6ba', X'887785dc89c1a95c7e2841716493a05945839160bc3514ea92a7176f043609adcd43fe4ce8170c05a4d1c2c4838af3a0179cb06e28ed38b268de5ec3ff6e86b51d0392cd37ed4dde4382b272c4207a404b3b4cef175e5e1f5c582cd2876830176952131f008751170ba3369c9ac6b600e3c2d75fb38f606fd771e7a9a1a3a687ee213230b631fcc18b320e19b4b048acd79e3ac75d5134b0d8858f8b0d28f449', X'70420247b9da1a0872f30fcf8e511a7ca296f2eeb74dc2ef60b5b1ff1b350c00', 2, '', 1, 60);
INSERT INTO `audit_events` VALUES (63, 1795430340000000, 'api:cashier', '127.0.0.1', '1-1', 'cash-out waiting', 'cash-out', '37', 1, '', '{"amount":"30.00","client":1,"currency":"EUR","id":"approved","player":1,"state":"waiting"}', '', X'768f2d7333f495d9e5248122bb610b443a0fe32ca3831760bcc3271d54e985c3381f7de47c92186518ae392569c9b8f65b7d2c164be3a9b50c78e153ddffef40e7d41eb819ca110fba0a2788f1ab22c7', X'f4027aa835624051e3805810649eab3524327ad556c4100a5c0f023145b65fba13f9e2beac066e1daf81138079eb287883e507fcc6f370650e73f8e4158bb4d9a638cc26f426221a37cf262645c51d7b7cfd52d265fb7c9c4902431879ad1b1c2cd2a21b68eb048581cb46d399fe3dd99768abc9e071a0c74a98e83754feb7698bae01d0f92396aef443b475484aef072356f132a5fdbc2ecd2967fad6dc30f4', X'8422c87ea559c76cd8d0e1ec5d2ed11c37a3e6f4c36a0dc9254f98a06eb85972', 4, '', 1, 0);
INSERT INTO `audit_events` VALUES (64, 1795430400000000, 'farid', '192.0.2.10', 'of farid', 'cash-out approved', 'cash-out', '37', 1, '', '{"amount":"30.00","client":1,"currency":"EUR","id":"approved","player":1,"state":"approved"}', '', X'49617856f86f3131f9b4576bbb4616876f938227d85cfea54b0c50f23fcd03ce3c760a87c5d79814c7dad9e1d1c237e812cf337ef60be334f22b1cb663d0055caf093ca805d454c97b99a0df7d862d33', X'2834feb5cbacd152e6a0441b30043b9655d7f5863cd28e0e5b4e4040d188776340127e8ad7bcf17903ce283ebfd4a979cdd1042f93f74b0eeb31e720f8da1c8debf7a77255ef7f5027a9745ed9e1b9def84de09dc61ad53f19443f315040dd475b1bc01b5a25d7383a8d9fb06b5656d901af76ac12a63d1361f931e1271cfe7ecfa04d4d41ebb793a2d6d0e127db47c06cd17e5c996bf67c0cd70b887abe459a', X'3d8e995a5ab1edd3adaab4ede4fa8c90d64473e6aa3811fb63a839b4b1deddf6', 2, '', 1, 63);
INSERT INTO `audit_events` VALUES (65, 1795430460000000, 'api:cashier', '127.0.0.1', '1-1', 'cash-out waiting', 'cash-out', '38', 1, '', '{"amount":"30.00","client":1,"currency":"EUR","id":"refused","player":1,"state":"waiting"}', '', X'fd19a9cc1a4a2174cf135620460ba80b9d8c40d2e2c679804a53ef6f06d78c2ca08839ee7497d9326825b4fbba5916d4d858c4f823d8d330289ea774c7c6ce4041b700e55873cf4d3e244dae36d7ecdd', X'd3a427575b9a24776bf9c3eba403802425a319093ac7b02ef9f84076d34954bfba951ecc90466ec682ad924c4511e0ec41a38f50f9e0bc7a30016f5af3b2c3324d957dc00eafb82cc9e4b1b6b5cabdd12e2bab7d29d1624e1489e962deec506634b860f1a89784258e26a0db46425a2bb1336b63319aa086188bc4323e03c2667ee2ea04ccb604108eb6a84643adfd010d4a0ba9995a2254eb5efae858e9d9c9', X'54cec30ce7367771bf74b296818c5789f44b244fcb860ad549cb325c2af67658', 4, '', 1, 0);
INSERT INTO `audit_events` VALUES (66, 1795430520000000, 'farid', '192.0.2.10', 'of farid', 'cash-out refused', 'cash-out', '38', 1, '', '{"amount":"30.00","client":1,"currency":"EUR","id":"refused","player":1,"state":"refused"}', 'Unknown card.', X'4f7ad5f2825b7384049779b291eee6fdd56bd0337e80f73ef9aa80edb71997d9d8cd6ee9855355885c6874a3667d8f84a160fbdfeed6df6a63bd98a64070b30d0bf75478a9a987fabc79a80b63f5220b', X'abe222d75a378cafff0cfe54135af04d2b99967f83de9ea5daa7da655726717a795056090646e73c790a03edc7ad41f5a51c6358aece98f28eb6cdf6e1e0dbd08923b16b8dd49136ca46a8048956cdfdf4ce1d9cf3aa904cdc89b493fb31518a229a17eb0c4228bf8bff0d991e481c45de356d1699c0cf286434527cffd521ab4dc443a3794c8d862aeeccb24cc567e647ab37ff98653690acfbf8508255d2d6', X'becdbebec25693eaa30eabb9287bf8b5540e7296fcadef10e1b0127f5430646a', 2, '', 1, 65);
INSERT INTO `audit_events` VALUES (67, 1795430580000000, 'api:cashier', '127.0.0.1', '1-1', 'cash-out waiting', 'cash-out', '40', 1, '', '{"amount":"30.00","client":1,"currency":"EUR","id":"waiting","player":1,"state":"waiting"}', '', X'5b0b1962c60eea8bb0d8babf0a6eee38d197acadc35a927137c5e3491d4655211a5deb2489d0953b3214fccea3ddfb71d83f8fecb4563702e4124be99c0bf58c0ba7766ff9aba1adbd0400047b87e5fb', X'b30aa7cdfbe4c18852dfe6faca7c63e8e35febfd0efe38e1344eac6572b4eb01ead5eb5db31f47d4b3f2ff51fb48b0bb31a18e7660ff61c2c739901b181f37114a553c105268f46ad9d8df223e16f4d366569b867a911cc1f932c5b2d8935f243b4b0fcbda16dd1f02daa2260aebe97ffd19db0cf9c6c16e98cc81cd01ff911c48ae01aa7b11507e8323533485c40b99d1634a4bf89f1b55e0164ca2796731bc', X'1c77fde9dd76757fa58734b005800a4d43fc07676ef08094a2c1e7f150e308dd', 4, '', 1, 0);
INSERT INTO `audit_events` VALUES (68, 1795430760000000, 'api:cashier', '127.0.0.1', '1-1', 'restriction set', 'restriction', '1', 3, '', '{"about":"","kind":"cool-off","player":3,"scope":"deposits only","subject":"player","until":"2026-11-24T10:46:00Z"}', 'Asked for it.', X'03f26fc9f346372f03b30aa51afca4eba5b7eb00fd03c9f8005510b1c6370c77bdb0220d7c7ba8f4df9b62ba670145d9308f3a5cdb16823dbf2a0d0e95c27f2410606362bbdfa72378d5be29f6d60ad0', X'b93520a8d33405f8d29aa8f5283e5f7b52309826813837a7c573f010c929b328b2c0d13d040933b8c4a2fdb615f069b99611d0e13641706b2ed389bf479a0852c3a90d568c45a69aeac1470520ef0fcf84e0781a022c1042df7308ee6ef326ea93f7d77494f2d8b4e3c7eebf93221a32dc7bb8308c6a7f887691aee54bbe0a87af0a9a6ce934c48f315df8c087550aa4a65776e980d047e3c33a2f93745b0de0', X'7c2c2a562d8497e0e363e1d66fd27bfc4e7b34db555b37eeb25f56c383712b2e', 4, '', 1, 0);
INSERT INTO `audit_events` VALUES (69, 1795430760000000, 'api:cashier', '127.0.0.1', '1-1', 'player restriction set', 'player', '3', 3, '{"deposits_from":""}', '{"deposits_from":"2026-11-24T10:46:00Z"}', 'Asked for it.', X'0b63d88e1e3b81429fe370544f8662c564ebc43a3733dd731b8bdc295f758720ce5f38f43b11fc39094a1a2ebc45822d727b16b592957712e000df87f52cf93a21ff37acb6d62f364adbf772ac6b0c6a', X'bc9e35c4817c788f019913b62a778bf376f3e6b5c0864d05bacfffbd28bd6fe3008406903d9f7d1e897c73944065620ba472c8dd7d04139a84a7fd1e91b5fd65149cb0d19fbaa37eaf4864bea6b830e0017782ae058e463dbaf625e03639d463088c94dc784ec24b8b3b705a1e901febc1f792fb8549ba236a8b454c61ee13e8f1ad89bce03610353099d722e45406bc203e8a0a281356e33870a603b1122f7a', X'105af5869628faa4c0fef6291ff6d2f9f5ee186a4031026dcaf02e80477398fd', 4, '', 1, 27);
INSERT INTO `audit_events` VALUES (70, 1795430880000000, 'sofia', '192.0.2.10', 'of sofia', 'restriction set', 'restriction', '2', 2, '', '{"about":"","kind":"other","player":2,"scope":"play, deposits and bonuses","subject":"player","until":"permanent"}', 'Asked us to.', X'376cb1c10a1d231b0eb4c17707c3b70a91f61d45ece581135c9b2be6e261aef272997340051a6725305580b93f6bc709fd8e366429c7d01895a9b4b148c86de026f5b545f6a92f41e848a8e8e6ceac74', X'0444dcca7321022ae0561a43615f3f9e2197373c4c3b1ff21cf88686a4403bac7b035c5fd94115595529790bba7b4b18ded77384589f647239ae57e5feeb2fb967c86725559c968229965dc7a974ce604932cd50a2cbb71c5ab668b3bb5953dbf4667846479a52d83b72f150a452013a48f8fa4f3137a36a5495036de1bdfee0b301af3fe6f4557343b45bd9862aa91ad60ccd8bbc0d382839f7d803c6949ef1', X'1015a9f450185ba4505d271448c36cd5397d7dd29d4ff4cfdd02cf4407574f77', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (71, 1795430880000000, 'sofia', '192.0.2.10', 'of sofia', 'player restriction set', 'player', '2', 2, '{"play_from":""}', '{"play_from":"permanent"}', 'Asked us to.', X'61592acf69ed9067d3fe01f5b275b3cbb4d8d600ec1b388fb00a5a00d3d48ff9fc2e95e3f5b91e009883e0647f3fe6a43f45be1ce4f7543bbcad65d1ad1c0eaba0c00263f89a20f8e9b30d0faefbc5c5', X'0c5c2b82b95bda1e44e71c7926c25cfead0ccea3b8319785fab4760aa0ccf24d785ebe90cc35545bc3a280093e360aa6c06b99b16edf0f9c13a77e67d18d6f199b7dfff62368c91958263f40df89c6a995eba5f20569b3d772b3d3df21ca1c86f29bc93c43fc1634c289c0d8c8051eda6cdf69d32d003bf5c7027fbd9557b0ef2b25136835cf4694763217b2f09f4075e94a911e6d29591bbdcfd27492e2a7a0', X'1bfac25687b9ee4b38397d28c5719af01c339da4d002632909327612a2d1cedf', 2, '', 1, 26);
INSERT INTO `audit_events` VALUES (72, 1795430940000000, 'sofia', '192.0.2.10', 'of sofia', 'restriction end requested', 'restriction', '2', 2, '', '{"player":2}', 'Asked again.', X'4f4470a288af51610ed74a23ae9d4ede172169d3b721c8540a1e8d21105441c07a8b40fe6db7db26d6cb814ac25d39f027f1df9f3557d14a77741ea5f00de82560dcf4cec95cd828282109117b0d5975', X'ff5ac9236d30b386f70cd704fcadd7cc2fbd3124c808adbc76fa2ba8f43f5a094349fe8e27dea9363c0515649d1d4cabb5d908e122ed29a97f1821a4dd29edb11b308005c652206862c0525ffb44013d59da5e1fd6e5ab81c461d1e19a37c6f6180d6389265010e2e802aed61e0a4ea0cdad6c4044fb98a84c05945985f4287e515d6fb2ea73b157fada05592c46e591a20eb53e87ee470c91842f15d1758a67', X'2d9db68ce538d003ed347c09b4cacc2db5fd9c4a8f62ebc5749ae8d34e113bc9', 2, '', 1, 70);
INSERT INTO `audit_events` VALUES (73, 1795431000000000, 'chloe', '192.0.2.10', 'of chloe', 'restriction ended', 'restriction', '2', 2, '', '{"about":"","kind":"other","player":2,"scope":"play, deposits and bonuses","subject":"player","until":"permanent"}', 'Asked again.', X'5767fc05d66bd946176ad4d49e9480563b200e2598a86d25519ae5b042f33cca482bc7ed7627a6553a76629987365747b8ad6f3d4a951ae7735ec7965933e90122b5955d7bf2337c20da85a5de33d2bb', X'b42e00c582d2b3a3824302bc978d2b0c1acc9f50685b51c33bda1137a6be0cc7d4d4694140e4c5e67363c20ca98350cdb1da74379e2b60531c6c8b7b6ad8760bd23501e628aa96b74425015ffcd96c856d3b5a76c2480eb5513c5c8e9028ee4dbe2f0c5917c3ad0cf071812aeb5ed6501c6a077d900d4a3f6042cefd7c5fc0db55ce80151fe690ad38388a269f3c52efd7620cee11f794d3b6cf42b3fbc21466', X'db4bb91ffbafad8fb01d241192212e8ba117e5f9ce736f332783be8c7cbed145', 2, '', 1, 72);
INSERT INTO `audit_events` VALUES (74, 1795431000000000, 'chloe', '192.0.2.10', 'of chloe', 'player restriction ended', 'player', '2', 2, '{"play_from":"permanent"}', '{"play_from":""}', 'Asked again.', X'04b94dff2a8d84bb9a47ff1689e399c99a4da709b23acff5555cef5e4b623c897e02f801559261b9b816869416263bdc270a5b648cdfbd1120899cc9eab316ec5f9738b345e918e18f7ae0a356c1ff0e', X'90e76a796d81f9ce7649f608ce3c5766701a6d35e7da93764a5e1dc84c1a5a53357373dbb15c2e60656e8996eb2e17ef1a563c0cb840041e54837d7c57d0fe4776d13e5cdfe609eecc1a78523c87b22c65a9c95a93ccf2591f15a84ef2bd81c17951478a285afd67c162bc14a5f2cc1873d632a8180d130a3a1137fe2463fe1dcb3b9d0e3628df0eab662cdafba777ce698df3a26289a66e7fd4c647de9b1e1f', X'bbd5ca73984c05918b0556c7d20118364a306b365cc058cf90be9d33ba5ed93b', 2, '', 1, 71);
INSERT INTO `audit_events` VALUES (75, 1795431060000000, 'sofia', '192.0.2.10', 'of sofia', 'restriction set', 'restriction', '3', 2, '', '{"about":"","kind":"other","player":2,"scope":"bonuses only","subject":"player","until":"permanent"}', 'Asked us to.', X'541fc2c80087692fc006320644487cbf1620b10a71c4b289743a5a04dea7e45a3beb720f0fe36c7d94b942ae63ac423c26a034168dcdfa70cd4e2f636d791be15512e9e3cae9969bc87dcab098de6d9f', X'd2c7cd38899a7d0827a5ad629d8f1cac9d6ee27e9da02f513dcad5425e17dee7c58c78a8d64e0432ab042b4ec698248dac426cc5ff399cbe172db657137a6a5a8855222f21d9810e092a8383b86e6d9f7df9c38221a5f60dce48a81313a2d69367fe3abc8d5e6b7bb613fd77574db8835512d69a91987ff808e79d4ac8883d24a36e00ba2ad8543a320b12135218887e5db63419a9fc08c00e787cc2c4ca74d5', X'3ab36e4734d4cc32e91b78ba4e8ef50c06d1d7c1d11629ba319a43fb620f2109', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (76, 1795431060000000, 'sofia', '192.0.2.10', 'of sofia', 'player restriction set', 'player', '2', 2, '{"bonuses_from":""}', '{"bonuses_from":"permanent"}', 'Asked us to.', X'24f4cf9a1b435a99055fb8e3389bc930d8adda427e3304e4057df1966b5dc2afc3df338ee4e0b855fc4eb530666ef11ef54a71cbdf4394d7f297178b630f7d367a31f0fa5e3e2f48776ca2ed84d7126f', X'e44bf6f3b91a6052f22a6084ec8bfe71d535390fb49ea77c12aa828c1c89e29091c48e715f7a9b6dae6962de522b2847405f1110fc7871df2bbc2fe1dc9dd15280122aedff3eca0bf675dc5518637fe70644d7654d5911455f83d9503f7f00b5643891f3f176a38d986985ff693e57329325e0389c884d157dd956dd18d28cf2a6d0fec5759f117c61325276541340b62bdbc7c26c00ea5bbba7a46373ce147d', X'd3e577a296b3f03b1f7126237948429b5ce5ba38c908da6a8c2ae6dbf569986f', 2, '', 1, 74);
INSERT INTO `audit_events` VALUES (77, 1795431120000000, 'sofia', '192.0.2.10', 'of sofia', 'restriction end requested', 'restriction', '3', 2, '', '{"player":2}', 'Asked again.', X'35e815e37be835e4bd9f4e4d8484094824e2baea82812c8c69f19a173578dce648f3a12472c9ee3c32b8a887152fae3d427e4d6df126ca41ce9e73823d5f38e4d33636f84f41ae8acb027931265ca275', X'0d411a714a9c03fe9472e9a16d6b7d951ac944100b77568132ec89072be4a3375d2f1b7bf185e909f2da7cb7a9eef3f825f8fa7cc41a81bff6c7ebd260c77de3427d3d0cf7087272db4a7efb73fc534457b79fd61d942d328e548980beed554c4c6616dc81e04dfed92bda2dced170a82fa4f1c3d4b7215384b70c726750f5f8dae0523446f4987f87573bc64ca3d5bc24fa3941c937583f0265ed23d56fc664', X'fe0181240107c1dc5d3f4d015dd52405eeebf94427a02172ffb61909d3eb6a44', 2, '', 1, 75);
INSERT INTO `audit_events` VALUES (78, 1795431180000000, 'chloe', '192.0.2.10', 'of chloe', 'restriction set', 'restriction', '4', 0, '', '{"about":"g3","kind":"other","player":0,"scope":"play, deposits and bonuses","subject":"game","until":"permanent"}', 'Asked us to.', X'4d87eaece04044584901802875c634a83ef20006d3ec498dd891410b8233cc3216838047f5e6827ef6a580c4bd6da8f076bae4fa83561871e6b6359c8818e6e01e0860b66e17bd934c4a30db38cfb12a', X'0d86a25b6c5b5c60903ee41ae2cc060ae5bcc3b1b6f3eabf790b9462b5a595aaf4545ed4304af60729da9a0ae83f891b2e1d9b02abae9296cf2e2bed1072c58a1ad89d3cd4eb87a7766c0b04faacebba04daef4fad4060b0b3fd415f7d233d424ecd2faf8ad30d4b0ae5d46946067e59e79655787fe2ecb6b298271249528b475cb8c0840d7ee3ee2eebdf316bef570261d0b3033eeb0081e23b86325bb66004', X'63c5a8936f28018fadf8822ae5285465e750be893639da3f0da84e9eefda7f19', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (79, 1795431240000000, 'sofia', '192.0.2.10', 'of sofia', 'player limits set', 'player', '1', 1, '{}', '{"loss limit per month":"5000.00","stake limit per day":"3000.00","zone":"Europe/Vienna"}', 'Asked for it.', X'0784c212e936696e39e20a9c76d03d8822afc823240d53678350918185e8ddfadb4b106f04c8b17cb2c8a67e65252b2a46d78a63f0673a9e70c8056420b77b54d4b9a9879f9b52d8539a9bd9473b3a7e', X'ba32569a4657b1ccb3dd28ee88a215843ae122fb3827e89df3fa8f31d6f3f005483069d0113df8393d7b66081c059fb6404fb512c15d42448e6ec121306e5c065c775c375c26a1ad1a10b94e5089d9cc8b4b846fbfeb8e66be906a5fa6265467022371cbd081647090de676be12acffba2b3701b452fd54704b57b7058b16144b7bea53e4ea7e570d38f74cd27d4a4c0f7c1f83fd94d3053e91cbfa963b2356e', X'd38edc60616c1a364efee8c23e2786b9a60d2535c9e71c5be04fa3bc1b82b0c0', 2, '', 1, 30);
INSERT INTO `audit_events` VALUES (80, 1795431300000000, 'sofia', '192.0.2.10', 'of sofia', 'player limits set', 'player', '1', 1, '{"loss limit per month":"5000.00","stake limit per day":"3000.00","zone":"Europe/Vienna"}', '{"loss limit per month":"5000.00","stake limit per day":"3000.00, 4000.00 from 24 Nov 2026 11:55","zone":"Europe/Vienna"}', 'Asked for more.', X'3cedece9b041301d0d6f8bc087ea5078979e139f194aa72109873dd25e7db87dce214d59e1174e0dcfda57f638c08ad015d17810606900316c732dd65b38684804058d2900d0d64c2978038f74398073', X'b506407dcd8ad5ddf495d926411ba716e0656514419f98a93664a907f8ab7b328c650a4472feb3d92c614f7e0a6c36fa792162aecac2ed438e5d73b9ceb27d7076d0ad9fd59f53a012e0ba88316c98de5cefc5e4e9fea9fd1a7c4db10ec35ab2d69c12d94465c0dad49292d17e6e9a70ac97f66f8c1a0cbb2b6e2bd8859737fb79474e0afd397b256c1090b799a75af62845e1eb9c5f9271ba4f0489127ee297', X'c2b216309863aa24dad9dc26de903ce895a1b8257e72e1ee86beec1a4a3482f1', 2, '', 1, 79);
INSERT INTO `audit_events` VALUES (81, 1795431360000000, 'sofia', '192.0.2.10', 'of sofia', 'correction requested', 'correction', '1', 1, '', '{"amount":"3.00","another":"each of these is for another loss","balance":"977.00","currency":"EUR","kind":"credit","player":1,"reason":"goodwill","reference":"","role":"support","round_id":"","transaction_id":"","user_id":"anna"}', 'As agreed.', X'd837526a5243268940019947e2c196e9ecebf98ec00a6e3d1a5bd5c196ac1e8207537a330e4dae6209e6f5ca332d528040abf6e4462a7edf10e3f97a31d5e569ded356b745c7999fcd7250ef42f0b5ba', X'1aee8c939a4e1d3ee51059abc99c4effbb8eec2bef66cdf43bfb9fef630da310206f759c00a3e3ea5fbc8108e5393ce35b065f9f3769465ac7c9b6343e592a1969cda82753a93c5197b58235716db0f7e75a7589c7b507ba7ae6deea3f7a95041810c7f15e1503576edd86d9cd3b6c74e2115221148820c90cb77b4e1ca9512d6ff8fcd2062f09b956d8da0a0b304342eca8b26abde97bae0f830b48df9ecef2', X'2134070e9c5854fa941b3227d42b49a08ebaeb8baa7906818bf0a84690f11794', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (82, 1795431420000000, 'mira', '192.0.2.10', 'of mira', 'correction approved', 'correction', '1', 1, 'waiting', '{"balance_after":"980.00","balance_before":"977.00","currency":"EUR","line":31,"maker":"sofia","player":1,"role":"finance","spin_ledger":false,"state":"approved"}', '', X'77716022ab6d09245022ae6a1e0c9f8d40828405494121c3bad7c0cc645e1b9b55b4035835a3b8d13c6d419457216cdc41e101a0540b95d488026f71872b53a845c800dd87cf381a0287dc34876e87ed', X'949fbd125f68347f03f95e5f0ed0a418fc04b0b0795a78df7f747ebcf876f670c5f507f419c5f36d19fffc99a5217e3704657ac7cb4fa116cbab65927c53321a692c0ff68609ff9f58366e5136b33b44133ea8199ece226629b1814fce220355ad83c90328dffb1d87a26c17f3fd3e7ac2d27b7c431f0829194612ad2a0929c7009ccbd4a9ba69f6aec183b59a664689fdd6753dcc6feb9a4a3a074eaf537f0d', X'5c6876aecb4f5a48c6acccfb64bd15bec1e8bd94daf50eb83bdc8c7e03da9de2', 2, '', 1, 81);
INSERT INTO `audit_events` VALUES (83, 1795431480000000, 'sofia', '192.0.2.10', 'of sofia', 'correction requested', 'correction', '2', 1, '', '{"amount":"1.00","another":"each of these is for another loss","balance":"980.00","currency":"EUR","kind":"debit","player":1,"reason":"paid-twice","reference":"","role":"support","round_id":"","transaction_id":"","user_id":"anna"}', 'As agreed.', X'1a4193662e5c441ee13206579818e39ea10f2aadbb8c28b4169069081e861e22f8771b147c31fae9cefbae3ae27a37e9962a7ef59d610bc5eea5027391ea85cf8682ae5543a4d4b59c9da899dd36db7f', X'9f828a70bee813c19173effe5f59cd0ab9f16f9c76280cf7e1bb5c54a89261c44b95fb43cd24a101ab6c73a66be3fd94637d60ea7c8fa19bf8afb129307816e8479c0d4444efb988ee62d1dabf70e3bb213ea3f0e13c50766e8e8f40eb91a4eb4e6e580c1d1afc9e97c175bac8bbdf4de3bca55ea78e6dde10ddfa04e8fa857ecd95ab5f51972e0cce74452ea0dfe155470d0f561a0d88b82f76dc0ddfd95869', X'5c5b034519afa67cc23a97011a549ee7191b8107781ee57233e952cc34b0a061', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (84, 1795431540000000, 'mira', '192.0.2.10', 'of mira', 'correction approved', 'correction', '2', 1, 'waiting', '{"balance_after":"979.00","balance_before":"980.00","currency":"EUR","line":32,"maker":"sofia","player":1,"role":"finance","spin_ledger":false,"state":"approved"}', '', X'182a7a0ab38bd33fae359aad68e6e632695296613b7fe1ed4eaf50a43a0c3f029647a16b4315dc12c5e56615f0b276b893b20d30d0daee7e17112ae5b1ba7235a985ea25d6e40bd2abc7f3c4b3b81d02', X'330ac723a1685d1f10971e27e7889b6aa7cd1c713e4da940d8d94933a02385692cfb59059de9a06cd54379a7688c77db1e8683d774bf15beac552fad63229460492e482aecb1e1a8e0974111af7ef7c5163e56556408be89a1a58c8e0d3427082077e0aace16d380e13e604e9658a0c4bbc35cf6d162342158961dbe11bd8b3c12f522d379937fdf2ec195adf56f589c1c6daf04a0fe01c6ce5bcdd7a48e7e04', X'19fe1d07058539524abb965bdfb1c4840135f31694af3e1bb508288e178525ec', 2, '', 1, 83);
INSERT INTO `audit_events` VALUES (85, 1795431600000000, 'sofia', '192.0.2.10', 'of sofia', 'correction requested', 'correction', '3', 1, '', '{"amount":"4.00","another":"each of these is for another loss","balance":"979.00","currency":"EUR","kind":"rollback","player":1,"reason":"round-voided","reference":"","role":"support","round_id":"r-bet-8","transaction_id":"bet-8","user_id":"anna"}', 'Their ticket 88213.', X'eabb5233fcd68489beea403412fc791c1d83e6d2e15ec62942e0c2428eb9c1cf51a36b8e9138d095e7721534945ba25bd05fccb6823eb624fc8bd4d85bfb0066beee4a59349d3bd4cbe438d3809a9f71', X'bec4bfb96274a774cd2171f80e551dff28116d03b6080f50c9546784e0a5dfea2d87983dcb31da25845f3e640e8fa2d6a88f9c5b6204022e602dc38c270f8df18134acd47ab13995892a9059cde8991bebc6abaf9037dd39faab0184b2b3425386ca794ff5d78d119704da2ed9d99ab22a92440d8053e5a83845980fb1671d1cab2cf77e3e1007dc98de44026ef02ba3534e2157c10154c3bfabf7d288dabe7c', X'8059c275db2c931dc0e5082bd00a799c51fdb600b3da0f946576ab2243ac9aa4', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (86, 1795431660000000, 'mira', '192.0.2.10', 'of mira', 'correction approved', 'correction', '3', 1, 'waiting', '{"balance_after":"983.00","balance_before":"979.00","currency":"EUR","line":33,"maker":"sofia","player":1,"role":"finance","spin_ledger":false,"state":"approved"}', '', X'0b324fa4727aad9a2cadf0ead65f9172b8f6e9d826dd008413b70654066b9cb72f95e71040673054e11939e96ac059c3f7233ede43cb03415614b055fbcd16f90c969a5bdc015c0956824885fe6df1a9', X'b78d1280d663ac78e151e33805bc76e9e7612c9ffe6ef771e229334a3a40e37aeb2653503b36d6cf019d379c811bf10b688edb7ef51e96c2ad991d4a5c84aa1c220e6de6c5d662b01a0bf96a5eceeb2b5b9ac5031093709f09b14f4045c1a99113d6b4b386d775890aea448fafe2b368b47ba2f4dbfa9253e91319ec6196c507466b427e3d65e337ba21ebe0e6e8a4394ec718218ccb07b8f1d074097b1eaad6', X'30697040f34314607873e127bdfb7e4d84e871186b9664a287e4868e70cbda6c', 2, '', 1, 85);
INSERT INTO `audit_events` VALUES (87, 1795431720000000, 'sofia', '192.0.2.10', 'of sofia', 'correction requested', 'correction', '4', 1, '', '{"amount":"9.00","another":"each of these is for another loss","balance":"983.00","currency":"EUR","kind":"win","player":1,"reason":"win-not-credited","reference":"","role":"support","round_id":"r-bet-9-win","transaction_id":"bet-9-win","user_id":"anna"}', 'Their win was lost.', X'cd1c0e0a47947eb2500b556d4722d8b1d8fcf215da4b6c2e4c9e0857dba180e65c665bdab9690ccffce2e8396178bb6cfe5877fe106af7a4d25bfc2838f4a744931f70757a876cc44c924145cc34c48a', X'736797c033245fc71c8b796f8560c48f4e896df9bda0b638aa891bf80787b0819d560dcf7d9f13cf0b5952e0459d32f4afca4e51dbf72a6bd8fc1c93f7d33fd05cb3f557236f598a3969250cb2592083337ede43303c32fc6aecc05869ae62ee713c77c8895f0893458e0e9359704271244fbf1d9d8a0412bb41c5b502b9700667ea5669c5d4df14ea7657babe44d386869860a4179c20d709a9884ec5e24ff9', X'34887e41ee3e46acde0157027c1ce3e5568a7d5bbbebca71ba6643c371a9afd9', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (88, 1795431780000000, 'mira', '192.0.2.10', 'of mira', 'correction approved', 'correction', '4', 1, 'waiting', '{"balance_after":"992.00","balance_before":"983.00","currency":"EUR","line":34,"maker":"sofia","player":1,"role":"finance","spin_ledger":false,"state":"approved"}', '', X'eb0ddb64f9a03b289e50e14bf266e5e15ed67c07f5d739c9c8c41733bff1b26955bf7341f6ab4fd94b5a502e08765b4b29eda0d8d72b082ba4269a55f247236000eb2310ff5a8582019e1f1a8643bb2c', X'db4ac2056a3ea08441079e5deff9e9cd358a5191026d2bc34f35aa0f4e18e84d745f526356edfd97ecb092d0453b338ebbaa425aded877437ede19631cac212e5054eb350a0cdd52efda0f2f99d5b72e11f36fcf4c7e491b585183ac7dbbf06524f486c1a5a6e9d4e9fecfe75d91e5526101fec7ada07483d772a521457c96e38dc3d13cf95e40619caca4d250f6579ba30d402b571bdfe43a57f9e3fa7a41d3', X'1cc578d2f41c1b4e0bcef01ea8ace1b0afb71e8292a9abccd55874ea12411607', 2, '', 1, 87);
INSERT INTO `audit_events` VALUES (89, 1795431840000000, 'sofia', '192.0.2.10', 'of sofia', 'correction requested', 'correction', '5', 1, '', '{"amount":"10.00","another":"each of these is for another loss","balance":"992.00","currency":"EUR","kind":"credit","player":1,"reason":"goodwill","reference":"","role":"support","round_id":"","transaction_id":"","user_id":"anna"}', 'As agreed.', X'40ce5dd16cfffa3c41e2621e5f5d20ce24f8abaff3ad44aaf3a5807f90f0b2470e4dd3c8f22223c810647e206eb4595daf5caed37b29064da2a7e98f41ad27401e89a895e0c1d755dbaccf3aad4483ff', X'256bbae8f2e1d76aa4a2bb88c21095b61b55d6fcf331ec6bd783540bd1a08c8f556b504792bb3237cf4a4e9a70b56e40b30aa2bbb7b571b7e3659615e8622c1d0cd0d82dc9cbf9ff49742c3ad999f349bb1447385cf8f643c57d43767c0ee550d5cd75d1a0bd05d5440e3b6912106afc2e584135e0eb4a4ce24c4ca2a5f5abab7fef9c14c0ce6d006f39811b58f505212ad1583b794a7b280af8ac7bef2aa4c2', X'611d526f828c28a887c1b1ccb99c2dc69c2125fed77d65441150ed0bbd3fdc4c', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (90, 1795431900000000, 'farid', '192.0.2.10', 'of farid', 'correction refused', 'correction', '5', 1, 'waiting', '{"maker":"sofia","role":"finance","state":"refused"}', 'The player’s history explains it.', X'b84cc2c1e4d5040fa0f37939f6e9caaecc76fe9bd3f0038e2a14cbfa8a94034a3249e950d409345d69393dfefac51cd9d712aeba9e4cc79ae659b17df2db27f5437f36860d1f714b5f85ed188ee59534', X'c27c24bb68017aea2cac7f49e20f47eabc02d77ca5ebf7cf6360785e24e9a793d56ce055d37c3b5d9d2c0f36739fde19babfebbf46be12fb9cdd32923e04d999dbe994f361616898e5e5da10d76c33e5cf7b8cf3c46727f3505e9f46d4a3396429a717e20cc1bb85b0f3d9ab1099b815962d7f39d92af157ed2dac14188bf19a70a00f69768516a5cf2d71441f1152e8e9761309adaef2a7a1ac8850911a5778', X'110a91ce85799496d64b7b276c95a70adaa3b263c85deea218072a9a438df4cf', 2, '', 1, 89);
INSERT INTO `audit_events` VALUES (91, 1795432020000000, 'sofia', '192.0.2.10', 'of sofia', 'correction requested', 'correction', '6', 1, '', '{"amount":"20.00","another":"each of these is for another loss","balance":"992.00","currency":"EUR","kind":"credit","player":1,"reason":"goodwill","reference":"","role":"support","round_id":"","transaction_id":"","user_id":"anna"}', 'As agreed.', X'58ca2e1f8c20c38ff9c9c8c68b737691c20a6dc8f7dd2f8a8d3aafb31dcd5d2451ae2ed9223c22f45541b075a78a8210517dbab3e616bc601612dcb2da10e6e07f88d8a552ec8bb9f35a378086e5adfc', X'5693c730163764f24295286a9bcc97586b29db0184fb031e8d16a816ede147f89742b540820022e5247f95bb062dc9b5c01498f93ea697af5207604a893172edb772c4d17a0ba01d240a6df9b28d0040f4f14588eb65ec4ea2e92c7100d358c918e08594a4d6fa63a93af82ee1ff8315403a870585bb8107380e7d74eef12699c0e92b5cd55ca49b4151a9b0274d12a0a05557d8df4f5c1333d70eed309f97ff', X'5035556202e4f12ce007858aabaef6e66bd9977bd265192035e5cd3794273370', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (92, 1795432080000000, 'sofia', '192.0.2.10', 'of sofia', 'correction withdrawn', 'correction', '6', 1, 'waiting', '{"maker":"sofia","role":"support","state":"withdrawn"}', 'A mistake.', X'16511d39ebfce81e7dcc6b3cd432d32a3f746963599357436bbe3e7dd6eee16b47491b3694b1a99155ccadecdacc148cb1786fdbf65bfcc29fe282125b0b19b955f1e45ba1c9448937e4484c45a04515', X'aeabe4f1a3b6d952e7c43b68e8ee2e1a4bbeb463db771783b439d9b86045a1da2266a290346741b67145573fb3cd7545107a57da71a362d9ecd16b215529848e1e2ed8087cca24cf411d20aadb1453bf2d72549eadad5ba2a47ceeec173f7f67cd16b73448cbcbd849dec26cc26c1fa94eda1c0ff3e02c3d9d46fad91240fff4bb2b2aa872a425eed843ffd1942e4c99f18f1121489a45d680b7783b85350fed', X'56d2ab128740f4908c9792cd29660e0a349e4bd0f15a6bad9f5c2731587178b3', 2, '', 1, 91);
INSERT INTO `audit_events` VALUES (93, 1795432200000000, 'sofia', '192.0.2.10', 'of sofia', 'correction requested', 'correction', '7', 1, '', '{"amount":"5.00","another":"each of these is for another loss","balance":"992.00","currency":"EUR","kind":"credit","player":1,"reason":"goodwill","reference":"","role":"support","round_id":"","transaction_id":"","user_id":"anna"}', 'As agreed.', X'a17d5b7803978a3ccb009da32076c871126036d23424df3c92d8efdfd91e3f3ff8428ae368dc653090a9c1dd19448e99d11fe7daa861a6ccf4d487f8c52e8d3649f26110ac914bb19819045ef07ed1cb', X'ef4aee25038538cda22e7d829a3b36684d85d3d51a26d975c0d4307d9ad8fcdbc42670ade49f5b415b3d1da6f425ff761a5afe02b5c88d435ca956f8e2c2a197a67d94d4a92aeec05a301a425f71dbdc93b4773c564d5f455216fa45df36aa9f2633bd4c3dc8f08a64db8197f7cf5d5ebce5ba3c297a49f145ca0899649dd5ffe63e2073799b3dba16eea56828a8ca3977359cbd2e5ce44aab1d4d946246d4c7', X'7b9a6ec444113a3a2b10c65effc88638a084545dfc69f5f4c5305e90f50c812a', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (94, 1795432260000000, 'farid', '192.0.2.10', 'of farid', 'correction assigned', 'correction', '7', 1, '', 'farid', '', X'5ba6dd5a360fde0c942a40436148092521922718591f569c7cdf2f0754eb936c912c243b78d02cf233c68930a67fbd285c6f9bfdf2119e959f3ab6858f6c2c78a2ca5bbd5465c0f806ae0aa108d55cb8', X'55a475af73eec7a7087a4944fea52225c6da8be3b9b4f28beb29fb2944038f0162aeab15e4004b32de64a0b3663a1089cfef6a19360784dffff52a51c4b95286c51914fc778c3750d44f94b9929410cefd834b1b080c0642052bfa89fd41d8aa812970dabc7b53cef5194a9b4326e40cffe94673e38654dac97f5cbd9a84efd5b954c9ab6a1d77f47717bbe596691d46b24505f5ed642bb5e391dac1d4b79c6d', X'cc9da49d61987362269f968f08044ce6e75ff8f7cebf68dffd6680e11077cb4b', 2, '', 1, 93);
INSERT INTO `audit_events` VALUES (95, 1795432380000000, 'system', '', '', 'case opened', 'case', '1', 1, '', '{"rule":"ledger verification failed"}', '', X'2e1a1c5ddd8fe120e0c04f9eaf07d5ee6a1de993293416acfbaddd4b4c4382977769d57542918817eb93955b31f4c4fb600ef0bc07847290cde6bd2cd4048b96d31d2c773805222f9f24d58a096c89a7', X'6840ff6c6fef2a70d61e752c106185f018931586e34818dd1398697443565b1bb0aab12f8a0ba1266ab3ee46bebc6e29c15f15c43f3c0be575010d87898ca1395e9545dded72306fd64c28dc18859a9684e42bcab2fa6b45fa772bf8e9b5e45d415607a26452d496a772ad4c098e90f2c5f085fd050eea8f2b80b81f145bfe45b8c725eaccfc8cbcca09390087f33fa0133e9872998e9500f6f8ac4cbc1bb7c8', X'1e8c60d84ada45f4737d335a6c7915931bcd9d6a064c4ea277d16f613300eb3c', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (96, 1795432440000000, 'farid', '192.0.2.10', 'of farid', 'case commented', 'case', '1', 1, '', '', '', X'06fe912398efcab4c58df0c5ef8a17ac1770b5acf7f65bc0c4be611cd107eb2e589bc4a1df1cc05d6866b366965ad0a8fa63990b4c2ea9c4c3e41a8343e915d27a2438a2649059d9991aae4b78cf0769', X'c2d902553e8f484c932b4996f08e61ee1b9eb5d147f201a1f68bd247ef463102e5cc528d809a3645197baf7e75c9a53457948733bc7f1ab8867b6e5fd32cc9ebb94c378542ab838ce246c001292aaab5d157fda021d878ea7f6fb8ac581a6b48cc1819c416d91aa66b022d21209c9da7e361f466bf91d9ca10c79f46297922ac635d582b0725db585fea41013e1c4c63f1fcf06d08f36f3c79f449c0a83718b3', X'181b4888c6c87dee9937ff6abd7720f0087022ffe1288ae6fd83434448b7da5b', 2, '', 1, 95);
INSERT INTO `audit_events` VALUES (97, 1795432500000000, 'farid', '192.0.2.10', 'of farid', 'case closed', 'case', '1', 1, 'open', 'explained', 'The platform confirmed it.', X'1b468bb347a08c8eec45f17f899630a5418b1d355a35552772083776060ad854166c518777b414610e3038e1186ee487cf1f4e44ad9860237ef3f1954676f157735369a80b0e086687ae0f96ff1d8253', X'27a09b9a133cc93784ecf73c6f276cc23c3257dc5376e03f213dfd0c991d84e29fd9cdfcc3b16d06acbb0a87ffe7c36d020b5f4ab5bbff5d9c62a49e0cd7cf99822bb7be2f5430703bff63f27ad0c44c6dae33dbb62388a8d749b3288b314491b5c62b8143b17db1d0ceacfde45169de50a326a571957b52acb57e353008821134ff1953e9457fb2842babb42707f9f68d3576df6c0b15a6d2a0c57527069d33', X'0de2f71d9fc7036c0ac0d30e064b43e97a84c8c0fc66646701ff00f8d6312278', 2, '', 1, 96);
INSERT INTO `audit_events` VALUES (98, 1795432560000000, 'system', '', '', 'case opened', 'case', '2', 1, '', '{"rule":"signature reused for different values"}', '', X'db37fb2df4a0e4a9676141807e21d140d1eb6786cedf742bc57d02712c72a2aec081c2d1764b16c741354f4c80ce73e1a0c4e71bc763ec748c28294da4a958e9016b8c963710e33fc8c3161bdbaf4161', X'4b40f0da8b04d61b053b08aca9e21f353b5ea79af6e2ce53e8c38956553b67775b9768f3fe7a1f1e3a65452703a102584907f2f5317bf6aa7a740397f67500723371e15af50d90b4d2f35edd290f102bea8375d2f5794fbef95175d063f83c56907498c7a78e34b936dcd7dd6e42f10273bad09b6a888ba7cb43614f83430d04ddc31dc2cf134679e949772206a7b89b8cbba2d69d108b630767355eb1ab122a', X'a6f5042aaec266644183591909b272e7df3f2773df896d26eee8410f86e90c8b', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (99, 1795432620000000, 'farid', '192.0.2.10', 'of farid', 'case commented', 'case', '2', 1, '', '', '', X'cd0445c230dffba99799410ef9e1ed54aa93370f1bc174229d7ab40ff80060b04b27552a14130aff4055a35a7879c3c62bedce6c829f86f005974da0edfb5fb6630fc842573b6e656e06ec3422f427a9', X'ec3799bd2e3005a532dce0bdf413e7ac94866863541b190322309930d33419c2056d448a61f2629cbbe761da40870ef619dc93de901c367c30647c9953a5e0085ed777d9ddb52f7f2ef8d3988f44aae68b08d2695ff3ebe49d08750e29bdd57aa416913ae3549cc878321f4e9600cff059ecf1a0cfc2828ac882d11e2394c04058d5961d59ee9e0f9203603728d0acc1b13457507df248fc94b11f6a50ab001f', X'0dff5a8ee38f4f17a446481ef3e1177b8379258e79e65c4a476cd9bac73bacd1', 2, '', 1, 98);
INSERT INTO `audit_events` VALUES (100, 1795432680000000, 'farid', '192.0.2.10', 'of farid', 'case closed', 'case', '2', 1, 'open', 'adjusted', 'The platform confirmed it.', X'6db08c355984f9f703c51ed68f55d7e9d703d42136d2f0616ec7afcb88f6908adf1a6ed9bc5aa4a38c9e3761558f4c246c0545f70f8cc6383d07598c485252ad1783a4545242bb859d3bb4e57a73cbb2', X'3f7f06dbc66dce3e01043cf972e17b8e2630043317a75531e4aef0f9e232136aaaf6efb6ce2432b9ff8fb2c79b8f6da7abe8b989cc44971be88fdcae01d436f21672b52060377891dea55c21ead259f78429a12baad07b14c85aa611abd82e68dcff0e026b82b28f6dfee79e80100cd3068cff1a57b8edb574dfb2a8b6e88d4d0aadf742361d3226d31d05a354585ee4655c5d74c1e2b5f34c5f77a8091a0f23', X'a90a44193fb23391ec25ce032cfb50bee01d5df7302303da8b00a8ed0396da01', 2, '', 1, 99);
INSERT INTO `audit_events` VALUES (101, 1795432740000000, 'system', '', '', 'case opened', 'case', '3', 1, '', '{"rule":"negative balance"}', '', X'942f59e339ca08f5a1bfe43c0193d6cb962b62e0720158efa9b6303a7259f19df09564ed2435e7d2d6dc638fce32d161b14e44fcd8b39fcb6406d2ddda8ad39cd5525f66e6489b4d15f60287d7c0a370', X'427e970902799da744c0d1bd18d993a85b387f8049462bba4755e2378a1f32f6a30a05053535df4cd25e74816932391bab8f2392d3e261f8c9be14f5b496dfbc05a86c2a9517f50682dc3bb465fa5f00e315e727ce4231da7ec5c301e6a79222651f86b601b7a201ad8dbee2d421fc730a19b4c44e55f36f383f9a92b5dca495e8141c0225c528b8a304c40ffc22589420d7149741b71fc6e34e1f925732f86d', X'978684cee50b0a2183495b82a381886a92fc2996cd3def6b7cf884939ee3ebe9', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (102, 1795432800000000, 'farid', '192.0.2.10', 'of farid', 'case commented', 'case', '3', 1, '', '', '', X'343bbedd7f2db7270c665ab3ce91fbee5a6eaa358da076b9a81caddc1f73963205876b862a046e07c14882ea825a0e14ac1f8771021bd52b97e8dbe7cebc3f9a3bd7f96195f6f985e79f004e0dc26d1c', X'5eadb1dfc0b948fdf339bdc6e3f6d0a9159007e609b144bb3ccc7e8cf6ae6aeb4e7403ef65e7ba44acd390fd69587a649949666821cd925657a63718fe886658b79a9f156ed97441b596e5e32046fb720c2a000091944f8607beab2a99e0a5a66e177416416e59533fb58e7541229bb885af543862292ed2c449a887ce56af01c4a35554662a9f49918b76401725b449d45ef5a0c1fccce01bbcd520e18b3751', X'e775f35acc8b2fc4aab65ce15129deae0021832cd44a7cbc6be9a70b0df78444', 2, '', 1, 101);
INSERT INTO `audit_events` VALUES (103, 1795432860000000, 'farid', '192.0.2.10', 'of farid', 'case closed', 'case', '3', 1, 'open', 'written off', 'The platform confirmed it.', X'3d06bc11c568ac0cfd430df04c96e932073f0ca4e82bd228e17b593d627409814e4468f162cb2afc62b366c5cae53e3e5546e71b906db634966ee38c623e6d4fc3f0c86ea3b1c179f6c6591ca9dbded8', X'826920d7e128ed73cdeda946a2816ef94d525c5771ed978d95ba928a8d0a8a1c67f28a8f24dddb8461701792086c1681b261a7b70feeed2cdb43885649451e7917f50572002e1cfb581267f5da70567abc3342f2b08505c6934c3f33906dc1473ec513a76194e8cd4efb02a6713591a9d9b46b40cd680b45abd0f56b2ef0226cb173a99e5cbf16df749721c5112011bc43a139e627216c560aed64722ded1f88', X'd9d4197d0a006b431a9ce9ad06d12a99cccdd746fd5eb0fa34860f90698298f0', 2, '', 1, 102);
INSERT INTO `audit_events` VALUES (104, 1795432920000000, 'system', '', '', 'case opened', 'case', '4', 1, '', '{"rule":"free spin without a grant"}', '', X'be973f60dd912bd28fffb8db70a43b6f3f37f84f7dc68c139468a99cdd833816c26b9dccfa23056e31761800edd5b55932fe165753a0baede21def3babd51e4fc3789e5913be861d63c19133d69d6032', X'91531616095a2a56eb0a7bf1944e030ac8a077375877f276669a794691442d533e4c635bdf02d5c47dc94b2eda91285e6411ecefdf339b2970de2f08b0647aac01965efb60a089b6ae478810086c59c65abd4a51bd12e4848a4889a70348d325c5f2cec74a4b5cad4adbe8e583d62292d53ee03cbd61a6733487c10812328f46707898bf7279052d4c8fad2530c2d53cb1e0ce1379765782d925c6c573496233', X'63d9fac6de059f28ba808256bd7b94def2fd08d44e145f0eeb24bb34c982d504', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (105, 1795432980000000, 'system', '', '', 'case opened', 'case', '5', 1, '', '{"rule":"win without a bet"}', '', X'56b35fade3935826ca54e2cd7520c9b425386eefd11e78eba00609146cc6414b348da9bc1248ddbe4dbe58acd67017ca3fa011b66d601379ea46c10146a9d5bb6f19a3d8c57702cb0f8da402882b7d14', X'69332c8132c022092ce6b073eaba78aa75a13b3e49059318cbcf3ca2f8dc7c1e6af62ba6a3a7c3f1519dbc1cd275550920b2d77c9cdccc11071b94590cead6c12630c677db66649139449c35b1b48746cdf27727467002064fd6f21babac6e96582f32c0c1cf72461b7fe5d1871f73f7934f89a48baceda44dbdaa36c2e45ff7924d6d6a717f920ca06eadc1d30c9aaef040743da9c29e48b610c134ad8bda80', X'69d9947a04f5ebd239e6ea124e215ceec151f454a4afb9c5984f2b5952cf4b6d', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (106, 1795433040000000, 'system', '', '', 'case opened', 'case', '6', 1, '', '{"rule":"transaction ID reused with different details"}', '', X'b512e3401e9fbb41d81f2b5d463300efe0ca2ef70ad3f15644ccf329cc57545e3a4688eecfb00224d5609c4a2108f59b0966fba1fc946d368f5f8bc52e51e54f3c0e4210eadefc2d9c9de3da3247ef1c', X'892b6fe9557cec32d0a927e79c5b3caff6500629530fa46fbe2615a7b519e3d73b79eb56763ff454273b14ce70da646dd5d70b827feec9f38f670e32d36b2ea1fea47e9b987087a2fbc3df9148f3b8148af25210dd50cd38093f025108f0c46622cf88d706dcb0792f1051e440bc3356b373343a0bf39e268fc0fd70f9ad63ba03957c5d37929f6e11828f3b922f6f7141314523ba917b2f0b5f7d90c1019fec', X'04eef2a9d84a634bceb757a8631191bd99a41456e763acdddd91ff8a8360453c', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (107, 1795433100000000, 'system', '', '', 'case opened', 'case', '7', 1, '', '{"rule":"cash ID reused with different details"}', '', X'4854c5643bf255a785b57c63fd3a4a245aeed0302f252fe9816293f979aa5450ef7f4bb16d4ad977635f21b04b7aacfa8c3e0c9cb2e3ffee00486305c0f7ad0a6e9915ba65731c3ba4f3f7749ff1af34', X'01f5608c2e9669c3fcb48744b2530aa618be42aed5e6ff329038b636289e7fa512882e86b244cb90b9dfdd5a8a083526f7e7f032d66c2cc68c97653c05ede03a4fbf6012dcb0d91ac254d8d0edb55ffb903e18c41256e86e08613a14763933ea7daf1b49c4072b254405cc8b32ad5bc64078703f4827da6ef0fce204fba883b2d5fc260f33da70d6490454eba0d44f5065fa3eaa186f5230dc93e2f2bf4c3ca9', X'987ce92eaa216ceb918f45bc487d769ac2acc758e1e6cb16ad9124f3f671ffd0', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (108, 1795433160000000, 'system', '', '', 'case opened', 'case', '8', 1, '', '{"rule":"cash-out neither paid nor returned"}', '', X'aea6a8897da56fd0209a9cf42758d9a61e7c78024133be298ecf6f1af067f6eeae3cfa2497893b5ee13ca272b61a1a474fc2f06ed9f5c263a086736fc84be3a4939693888de1449cc7c82fb4faf59a2e', X'69dc2be647d6e7edaf626e7e85944e766b242829c9a2038e8ef6760f5d53749f282e7c8709fefc3c814f42c696757b183ea6a8376c907e7639bb74973150bab4de1753c54c3f0cf89b004c2da9ced9cfe8123dcc68e1753d13ef2be11779f905eaa90b599376821592db767b043e164cac9a9439960fa298543975cb70e305367d485f998a20b5f07a79332ee3d7aad5a3754ec19e7abcad7d89a18d9dbf8d8b', X'1f8ab3c989416cd710a0e00545f826abf08fe1fab87ce5ac6dd313690633e3ce', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (109, 1795433220000000, 'system', '', '', 'case opened', 'case', '9', 1, '', '{"rule":"overflow refused"}', '', X'424ed11a0a048399852ff9d50271798cead4be6295c3703500821217187c083fd5b2b71903715c08df76fb3ac17e2dd959330ff7a516e867dc86660e7fe8eaef7895fe4480d720522dc98caf37958236', X'8bfa194f41a19a5b0e1da698a28575a12b635aba2e31201911ba60c826b419e25ed3b681da04bf802ba912994ea3e489becef8a61db4db481b9ee61314d4040742522f3974f03da2f3c1a72d6200cfb3f2ca4778d1b593c5822799a128a32eace86f740dbabd7a1caa9cdd7a383db9cd4467c31625ecf5d0c70f5c3632590c22ddbb8b8c2446c6752b891b9c7effda82a2172afc233b633f4c0083e4bcc166b0', X'28f7251526f729e37360d409bdca2290a5d0bc8fb71695a8e5a527ab04de7d33', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (110, 1795433280000000, 'system', '', '', 'case opened', 'case', '10', 1, '', '{"rule":"correction of a difference that is gone"}', '', X'0a9adc7b8c9a48f27914e26323a9152a6c52d3d8f3d0a86d9e5bfbc01750ef5d1c6daf7f8e9e5b9443af3e92ddfd480d6d8f21bfdc2bdab31188878ca01d066aa372d5f546e6af2eae42303a403a9ca9', X'f3104f2763969b865c2ec154ff997f2665ac8d4f69786101fa677ed1fd2c2f34afcfae59a008361d345471140416ab5caf2de8e42e8db118dd516252ca00c92edd6c52dc8a1163e8a712707780707d71b6b812d76807ce4cf4f519206e4307670ceb789ecbfb1d96a7969baa7b602e00b489482d677532ca27f439fc2281ee6fbc89e95b9063a651acc1440dcd6b181168f933a49ce0254268e729f189c8a5a7', X'e7224db9f2db2e9368a1320d3ebeabcf4ddd6bd69d9657ad61d81d873295e947', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (111, 1795433340000000, 'system', '', '', 'case opened', 'case', '11', 1, '', '{"rule":"difference from a statement"}', '', X'1d332c316a5678ba5272d347e36871aa041f2ba54d686d860a659ee564ac105b5e9d3021dc3eabf0fb707d37994b44fcbe5cab7744f8575467f84861fa14a31602038e9a7a281e9d15a8f0673ac0dbc6', X'0fc1cb1b7126fd40002623167d0ce71a5c8ef0a7620c14cbbda78ecd67c8e1e274686e4e9e76ed75fa20cadd2da89d1722c35076c974d00a33dc6d34442671b4ad8c3ae56933e00386065769d9e527679e26654577fded2d7a28378eb0ad25a4e20699b701f79ce42d4eed46d9d1986bd6f6e3b74dfcdb2cbf27ba90c7050d8df92b1bb2f87c9f58e1622cf3b31101a278dc38f45d1670317edc2ebdcfe0b799', X'b6d7c9b9597cc38a0ee3151dd09ecdd32c133f57c154c6b3f52bd79ed0982c8e', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (112, 1795433400000000, 'system', '', '', 'case opened', 'case', '12', 1, '', '{"rule":"complaint"}', '', X'a9b22c5b4b88fc3e6339848ca114d905018e53264fa4bda9018831720c96f092bffc33cb38d361e057a4d215201510246921faa0cab05af342e134877ff34d71a3d6bdd9588a7a49a955c807bec676c4', X'9365d08122ebfb6bc19c31218b8ad33e3e83cd147f34ddb4f6a0f069bf67735b5cffef2555ca3163b168339f8eef6e4b1ba3f945ecedc23d915ac96ecec059ecc54cf7f133c745fb8f5c09150abad262a6ed49fa34a329b86b573919aac891cbd188bebe75d04c03a4fa02485515b82606c7596cb95fdb4ea75ec4e1f21cd464e71305bdd4b9f55b3af06e8809847c6ea626f562f925e1061b329679af55d600', X'f820f3334211c0aee6133ef2972075f23fdc8e30053c564071a0b7e0c6de7f4c', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (113, 1795433460000000, 'system', '', '', 'case opened', 'case', '13', 1, '', '{"rule":"rollback of an unknown transaction"}', '', X'b9b5ba970fece3ab4bd05d7111af6abb69f95ee5b590aece27f7a29a0f308bf3614df78a23325daa0b15d1958b352b5dd7b0e32372943c2cbb2565a9f1878205aac2dc9e292e39de33a673220cfcfa27', X'33e339f42a4eee76860c52461859ebc7a00c84a2fb1ae5040e6531578320647f868a77a29bf1e7fcf509b5dff356579463b8e026637d6ab54fb4cb8f6db9df456e133ccc2b26ec5832d6b6116ed6eee9d29bb3ef41eab0f6d069672b896fca01377aefbe678c4b84b1d38fcac40ce030c9326566e80e971d0e928c38d942cb1149037098fe0ae85dfbcf6df4d779123ac13e56bb72d8f87f3597cb94e5758fe5', X'b068ece16d656d3c9d6cf9b6140d3d1f6f85b61247c7c2883a147662c4148b02', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (114, 1795433520000000, 'system', '', '', 'case opened', 'case', '14', 1, '', '{"rule":"unconfirmed grant"}', '', X'98de20c85057c3f78931d3e79d458b6a8794420cc518be043ee7f1f0429ccd9b911016c58de70937d3e4b4743f898a05bb3b96a1756f511e927546eeccca8dd70e8b4c14753495e98f575277b0711fe8', X'0a867e302098643511ff1dc8a4134f092837d8a7f7bb84e7deca46cc75816915fb36f68b6e615db34d9994455f41ab9218f8784444d0a4a203938e02f2258bc063facddcd10a4ae4b926aa544f6f2bef8c84820fd1f750a7d3642f272c1973bf79c059368817022e9811d07ee11fed846e74444903e31aa1b422ee05efde582658fcff7eb8ff0079fd634176b075004a98e28eb3897aa7cd11a8f44b86546bbb', X'304b6e01f03222a05fd6ff1858f4832ed097ce496b34dbf9fe5ae07a450f003a', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (115, 1795433580000000, 'system', '', '', 'case opened', 'case', '15', 1, '', '{"rule":"grant unknown to the platform"}', '', X'3a9a5c13d5cf4e4ec0acffa913ee6d39fbce9f8a03465d30850008e6d00beb4338604a5987e146749fa72a2691474de3b4f4df3fa68dc367bb359a2b17f6761a201f19342093e81f82c28631b5b7f215', X'd124bb4795ddfead6aa9ec0e94cd1b245e4e1e8100bcfb9fce136aba933608dc3bd4d726594f0ae2519b16e9759e988621132a44f13b632bbc1fe2f894c2741c752aca3df2dc8aed6b4dc30c27c6d43feb31eab1c0e655d066d962efba6bfa67d82e1d4261f7bd77ec14600c9813cd5490925c9dd1a5ea71a731278a506861b256d963376c96c0a11f7d24eb8130c5a3039f9003c37a85fca98dca6d87ed6333', X'4135133946af6393f740d74dc63405906261edf99f86e081d46e9823ab9e7532', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (116, 1795433640000000, 'system', '', '', 'case opened', 'case', '16', 1, '', '{"rule":"free-spin count mismatch"}', '', X'7aea109fe45518b6846335ed3449d3700ee77ae3c753c02e5ab8b514b06315127c075fa44e2e8843bce7a1f8d625e0560377fc140fbf81624b5f0a567c906be048eee16c0e01a5f490bcba9455fd392b', X'11bcf14a73d9140a19dea6e8c93c26ade7d1af0348871f1eedff64a9de4c9c760d5d2cd4f5f5b9061981367f25136497279f7eeff3c6a0fbbed8e5cd94434f306a891608f98d42dbe01fc51573326b0e502ee3183f6c2019d3c70bf6e0ffe549ca9e53e0a1eafd7551af00af20ef11cb6ef92bd1914f2386cbe452707c946ce911cfc26eabb1546615cbff37d0dae1a7988938e976246cf53c7b780b615b22dd', X'4567c8c26a71a1ab9976e062c49552f2b818bdae6b974bb3ea1c4d607bbf674c', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (117, 1795433700000000, 'system', '', '', 'case opened', 'case', '17', 1, '', '{"rule":"round rolled back in part"}', '', X'83af2e8e0311c24dd1ad7c6c8bef7886e12ad104f4f2a46252c9d716e7b40359a81ed85ac03894150ba94280314d8d9ae5a00f0ea4369f3bbe89cd92800f0baa3ed36c25a1076b9ce2bf4ff28291a701', X'b4ad58c1cb16ee8d6c29a430abce4c261f14222de544578c3b8aed38d85e40dc7356360a6e31786ed92b16f13c31a4485fd2b99c1a4015450f574ac6d93c0f364997639620fac009ff47f0d2054a475bfc1600187dc8d6dbdc154ba00c92dbbbf05cdd32088c831b6a60aa7374d08d872c73b02b4ea92bf3cf1a794a44b57c936f032fbc8f7d91ac39b7c9df4d0ab683fc39f6750a23e5d2bd8d33b8177cd40b', X'041c7ffb75de57b8c0a1b6cea16a7c36ef48c6ad8abc540e28e2d0ef4399d343', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (118, 1795433760000000, 'system', '', '', 'case opened', 'case', '18', 1, '', '{"rule":"threshold reached"}', '', X'9149f36b8e8202eee82f51cab1cca41aeb928f0adda7a7e68601e1eb2128f24a58704f88c11b10edbc90e0e3020e6345e452a1ba126954fa24af831a8474b2261c6f962a98c076e0742427a57668999f', X'9f54bc108648fa46adb4802932c3cad8c2031ca12ff61c49e3904440b0385b559184f5add3982c848e2ada4dd9a87ace6e0c25e8f52d0f1fe6808aa18f425c1610ad8861756db134a04a121ec5e13fab3cef0e242c72c2a0bca98d2b5373ca22ad435eec8ff69be319b3eb8bcbc072c9b34d5dc5e016ec40e9ff802a995996f16ba824afbcaed748c443c6d3c7ea351a095dc46a38dade8bdab197f87666c31c', X'ba0585d7ea6f207179f233f4993911681661bead06c625e5979dd66b9be6563a', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (119, 1795433820000000, 'system', '', '', 'case opened', 'case', '19', 1, '', '{"rule":"round open too long"}', '', X'b31b06fc80834a0aa107c021579583dd3de618a7330c6c22b834c57933a4ec01d67b3673133b2ab02fcef6c98d1c7cda67ca977b69965656148ae355e3f5ef7117d8ea370e28fba9d795bb5799e7429c', X'40464332d9fa58b8d85362c5c1deab7e04826e192edd25953006175a048c15bdfaf690186d67dac6e30cca3fd63d8d52e8d68dfcecd45e8499cacd1f4afbff66a8aa945a4810d33cf2a92825b6ae0835e7777ce53ae6abf1bda991629160b6717ae9782fd0667a23febc3c99ff6f323bbfd15ebd40bd5ac366afebd5f8931e41bd5118143a76dbf3f041a94dd3b1dbea99f10ef5c84bbc983a7968398ca3c1d7', X'f5b118b656bf5780e81f780060695d5e6af82db1a9ef440998e16e2cd31fe81e', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (120, 1795433880000000, 'sofia', '192.0.2.10', 'of sofia', 'case opened', 'case', '20', 1, '', '{"due":"2026-12-01","rule":"complaint"}', '', X'31459c9b935f8b52094de0c0a1803831397498299b36da20878947da218dcc926bf727185a2044061ccdace942eb4f4f92640cdbbdfecc76992781ac5e290a1664bf75fd6cf8d205530e07f8abcf3d79', X'4299ce993f823a41c6a39e2d11a0b029f361b811aca758b8bf34fe7e90096137ddde98c075480fed633cde1e95dd228a6961f70f204de588371e79d7f0db2077852a300bedee9fa1394e67cfaf054dee3b9f396418ed1dffcc0b032f12278b7ec421ed3730e4b8a685e1658a769dc44e0a00999780b37d45af1c44b40c214cc102a8f253387d378d06da900da3c19b4870bbadbd5a42d83aebb2743ead8f0673', X'e1b7a654c077a825a18bf46f46ce052217fed8756a6561d8d610b6028bce8ac5', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (121, 1795433880000000, 'sofia', '192.0.2.10', 'of sofia', 'case handed over', 'case', '20', 1, '', 'sofia', '', X'd2583242edf666510d4324c03bca40b761576f9f25e2fe3785bfe6b6871e9b88f3ce4bc8dadf21714d0449192cb618ccbcbbcbcebe74916fab38916d28a57db7e2a2d36748d78858278522bb7eac3758', X'0164a01f5c39ddca17b25580db180bf0562b1abdb8dc58163f69cb8536bb109be85264bfda1f245a596ec31d104caa5bebf811ff476af18e664d6ea0961dd23b18f2731b770b51962438851a60753e5549bae7358a160d3660cd2dedc1395ca96e016a9bf4bfa5a409fffd72226b00f9969db831fb7e979a82a83d2b5cb2a9b3423925c44f411c42c76f4506f90d9cbfa7d57434fd7e1e6092a0843005a11ce3', X'9c9396417fba1a786431b0defd6055aab81dc070574211e33aa7be00b49f8865', 2, '', 1, 120);
INSERT INTO `audit_events` VALUES (122, 1795433940000000, 'farid', '192.0.2.10', 'of farid', 'statement uploaded', 'statement', '1', 0, '', '{"bytes":132,"client":0,"file":"platform.csv","sha256":"d0b59516b5d18fdaac7a4915bfbf2645e2accfa23106b069e6ec2e3332f9f403"}', '', X'fbdf82f123f85c74e12ddd6d6316278ea7a37ca1e25387793a268441295fb08056a00bf890937f982e4a9639404a992df43d6c92d64293e176be9cba79e3b8f200000000000000000000000000000000', X'd888f7f84795909a306bd511aac3e4ee41453d5612d83b7bacce6becb6d6a4d76354cb3a881c2ef426bd7c29b40cbdb2309a4d947311efa4dcc476022aebcf1e02b50bfedf6460efde101cab4f399c382d1b3c80c7082c13a52994f4b8654d15b1add3fbb6a7affcf0ee0e659c2710b82a2d531e102f458d5a5f4f7eab9071cd0000000000000000000000000000000000000000000000000000000000000000', X'2159775ea3452b581b1ba499460d6a1c53c5de01d9209db72603695cefbcae70', 2, '', 0, 0);
INSERT INTO `audit_events` VALUES (123, 1795433940000000, 'farid', '192.0.2.10', 'of farid', 'statement compared', 'statement', '1', 0, '', '{"file":"platform.csv","margin_minutes":5,"read_as":"Transaction ID from “transaction_id”, Kind from “type”, Amount from “amount”, State from “status”, Player from “user_id”, Currency from “currency”","run":1,"sha256":"d0b59516b5d18fdaac7a4915bfbf2645e2accfa23106b069e6ec2e3332f9f403","since":"2026-11-22T11:39:00Z","until":"2026-11-23T11:39:00Z","zone":"UTC"}', '', X'3b1144b710a99fc0efcb9302a3155a234422f897e92faecc913610e533fa4f661b45083473bf89a5ed89c09d1995513dba5533315b4b2742946a3a747683697000000000000000000000000000000000', X'f5fa729dbe9215fbd9ac093fb0dd6a7c714d1665ba2aaade866ea8e8f70bfd390f4da419d0dbbb3492ea6a4c5bd7d95685e1cb8b6485991402e09c49c026717684007c0cb82734826fa29eb10374032faf629717d4b23397dc70f70f27be6ddf79c97a228f91d0c08d3b3723f1e162231d47c505e76ce99a52f9ba625d37e3870000000000000000000000000000000000000000000000000000000000000000', X'f1c97a9eebd993d346aa4ec663bbdb3628851a0aee4fc3cf2372280d558d5d4c', 2, '', 0, 0);
INSERT INTO `audit_events` VALUES (124, 1795433940000000, 'system', '', '', 'case opened', 'case', '21', 2, '', '{"rule":"difference from a statement"}', '', X'3c81ec3194a7efd0e11b1e4c8fc5f7ac7908d21b957e977f2e781c6d94c57124fa32be642670910cad00976d3794720685f41692dea580275023af256b0189caa53beeb4d3ac0d1c065669874c878ed9', X'ab232bfbd9650ff81cc8f29d821f49b4f393c7dbc46d895a8d491a3c245b1f521811438b15675f2af118c34033b09bf06b24721f92c3ecdb3609a5ca413e4fa6110d382d1a0c4226ecb8d737f9d2e1802db3824655375de6ab8bdebb5f384252baefac85499aee56480abeaea749eacc0c761161fd49741830cd3c55d9d15661a6f6ec00f909578156f772d8dad47dbb6b20ed4b03550b19cae144c66588f55a', X'9e7e2945540539068581c4bf7996c71b7d3621e690919449366e9aabb74e6763', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (125, 1795433940000000, 'system', '', '', 'case opened', 'case', '22', 1, '', '{"rule":"difference from a statement"}', '', X'9a54adaa86679f0f706b1ebdf684a12cc781b8206309e56126dadac21de97368e267f3c4224f424226a724eb1e75894f59ed329e012bedf3ec89e6eaf07fbedadeffcdb24badf6b2efa7e65b5af92e21', X'452c440872e83172f0e39f09ffa6017f2eea7f75a153dff389a164442d69185338babd1988a04b0a7dadc385de3e31c909d6a41364273d2d15a232c612f1b0ede050bfe13e758fd5a9c1240fece6ec4a8196d06569420a9480189afc8cff4a44f8fc21b6e8e955ffdef4871e2e1fe9da69d430b9b4354858c1396d34cde4499fc6cd48c9a61a00470b141463d8b07dd70562dfd1969c515e6730150aad4a56d3', X'bc24e6d00a7847fda04ab90e85d26407d4d1c4869bae0a6a4e82575197a4edd3', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (126, 1795433940000000, 'system', '', '', 'case opened', 'case', '23', 1, '', '{"rule":"difference from a statement"}', '', X'c3d86e185c0f4e9208ad8fd4537457c185cb3e436aaa76d5307e3ba129662d2079b93c91dd06f26e7acf8a68f1b93e7b73d106b45c88558c7dff0335cc40f077990bd3bb52ae461037ffd6cd406b091c', X'22d0bda23f6e868d31ba11075ed5003eadae0251c2454bb1f6e7ff9e8e73d3c88fe1ffa1ab73b35cf4d43b9f90f41febba2d27f579b772ee136a0f88d09e7771bf0bd4076ce6d4567347c5a81370cccaccb710813dd0e5b86e1e9c06f824f662586932c7b72cb7243e32674b4703145efff3f9254fd7d2a0fcd9d29b463d211145fc4bedc4eb4a2be3c95fb7eb326bfbd6f5d2a3a5510b0151cab5389ff3b45d', X'85be059d5e9c9ef661fefba7e33ec05ea71cd77f0f58b850c1ede2ba6cb0ea39', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (127, 1795433940000000, 'system', '', '', 'case opened', 'case', '24', 2, '', '{"rule":"difference from a statement"}', '', X'32819390520d301dfe39a556429494b31656786fe43862ea75c65882bb12a4b4d76264300ddcd579f1bf499c65899a7ae41fdb371fc78ccc1ea3cb0b37119ee463f324b64ee2b3476732506ec0f94022', X'aff550a065c2da00ba2b44c09fff35e84541bed1a57338790331119fe9f79f68c4e072bfa040fd1b5ba5832079be4cd019e046e837b1684a7587ecfec3a783f7dfad9d665250b7b670151fa19f61d1e73ad4a83f9099ba2d3dac5027f6cd782c12c158522e00536ee7976a55746425fcec07df46d63f603470e64e4c21c246bc2c87d968b97b5b287cc2c52de15b2a8f7cd38a0767da19f87adf498e9a0259d4', X'84718109db9f122c860c2d940eb424078b1cd3187cc85b012e37d548c9b4f274', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (128, 1795433940000000, 'system', '', '', 'case opened', 'case', '25', 4, '', '{"rule":"difference from a statement"}', '', X'908f46cfcb2baddce2e8ee98f926dc05960cc6fe05c6331cf2f7d5b82e2d3b0a23ec7dbf0cee97d7e61472f830dddafc75e592f132cb2b1cc0decebb32cab2ec2f73b779863deaa61b39ee947b1d5c70', X'a652321ab5fcfa3ddd97765f8dc61f49ac447a609920b5d96ed4c08cff66097d9cb8aad51eaacce830a126e5bd966388d3d58f34e84a07934b885250ad454d44288c0d34feb1a2d15fae3836af5c6674528b57dabd0c540959db8ea971f0c1b8e2e742ab76a6c73b3684f5b81fe304140fbd79d929bc0ddc3b93999f96985a8ac308a3b26852893598495652c304dcd5c91b3783f56234d0e2b243e6958aa53f', X'4858d84ff14601f53dbe5b7babdc0f85089e75a3e007bae351dc03aeab14b103', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (129, 1795433940000000, 'system', '', '', 'case opened', 'case', '26', 4, '', '{"rule":"difference from a statement"}', '', X'1c12693a110ed51eb0e5a17ba698791feb3988a4141963c5fefd9c1cf187aef9aafefadf6d527f98a84323ff39f73c9778293e9c2efd241f4444c7db21aea183972ab079a0da4d5f9bfce19c78f95cb6', X'ff8d7f04d0af972e499661b338356bbaa7463d908b13e53a2b2ec16c97e41b9bd1528d22ff70f5280fe21cb81d8c2573a85ce895799f8be78a4a47e0b1ef81af35f791b055502b5c446b2cba74af973edbfde50c72e4fe4858e8ebae84f00258b4db35fb96d3f685a6b56d5ea03d0a8bca130eea02b4d65db8b878ec5f19baafa3b764ed457edaf204106f32b0fb9e4ef0ae46324eedfde5e17b5f5fff53e141', X'df61ae2eae07c5b11378ec3462622822b13e98c3b0e1fcbab16d4a6c41cdca7c', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (130, 1795433940000000, 'system', '', '', 'case opened', 'case', '27', 5, '', '{"rule":"difference from a statement"}', '', X'0096a07709af9722627671c0c38babff6660bf810c51520995461a4c70f26bb1958c1c69feae31a071e8fa1b61feeedd84073c27fa8e6c217d2da4ad97e9d7bf7de9560e5735e8002ea0fad06ba82513', X'9f2329cc5d844167d33b6fb7c24fdf641e39a5b4f4151c156a4f618154911ae923e1864e9cb57d5aab0a313a418d7a11435b1601be27707d9d3f02cc1df32e9dd3c44166ae4f24eff67e4c8d84e3369ef47330352f850ffb702ed2d006197fa3c56809488a0d040e21ede83f45a8dc0c3d5cd3914ec999b3589862582b58571239cd571838abb5db0ce70d4943cb33f9cbef09d52ece3c7bfc86070e8b66544b', X'e82f45f68a3957e57ee96f71d4ff88cdb5dba6d6e792e70790f7c150f71896f3', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (131, 1795433940000000, 'system', '', '', 'case opened', 'case', '28', 1, '', '{"rule":"difference from a statement"}', '', X'2b8aa76a3baec75bac4727afc283964c64adc7672f5afec4f58ee1abb879e217f52e7050a2e0d36276580de71f813594c7dbc0100b01cdd9871f88cf9c642d3cb80dcfb678311d3dc04ff7f60bee984b', X'fa92ea951947ca8482e2205bb91a2e6595205a7a5e67e76fcbfecb1fda479cb5259a8563e870bcb47f9d4fe98cfac590616edf75c32080ce7cfffc6db1c145adc539dcc7eb45b565d426e3d9e52aafa8554c7283ecfd6814d3e2de7dfda4ad0d310c871115ee37b4c1d3812503fc21dc38463ac626a1705c3b7e5b09f1f97a30c9193dcbe25dcfd1bc34f3a4d7ae5e776feb98e2fac98ac5f591da8881d18dd0', X'694c9360b396af8c30fe6937308ebfe5b26af92ba05f083597f35cd5524c1376', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (132, 1795433940000000, 'system', '', '', 'case opened', 'case', '29', 2, '', '{"rule":"difference from a statement"}', '', X'20326ae36831450a9c88e8af236cbf449b8ae14cb5d54ebbaf9e93efc4a8e4f64fc6d74b73b48600235dcbf7c0045b2fce17026d71d7db355b53334ed9504fada1560fd403c0bcdb57c1ffceb2cf6d7c', X'dd86d5a62eaff41127dc305b59bb4688ac2b6f1811fabbcb99fc11045a31dcf21ff166813026126176914e271c633a18f0d8ec4145b207107cb6b9eecfbbf66a83862aa571eb708b1658445eccf6b00004047923d5cec7de87ef6eada4da71244d246c78b109f2af998afba9aac0d5b061ac479957bb49fc2d10ade4e2b2d8f583757af58b4c8fa9d3f946bbb50faf7d1875c19abdead7b66ade68f8ec8afd94', X'15bf27fb2e4ad4439395ae306445bffcd9bfe1cc282891481f4932873a54c13e', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (133, 1795433940000000, 'system', '', '', 'case opened', 'case', '30', 1, '', '{"rule":"difference from a statement"}', '', X'58dc89bb5341caef0f53699c8a41349cbe95f48ae2772e40de23618326bec8f5751bb0dcf64abf2abd9eab36e6c88dbf48575427d220e5abf86eca882134e0b6a70585c3dc832b42cc883fd7ba58dc18', X'0adda201f8047e93dd8a33edb60afeec05c41c52f9c6f2b33bc251a39dcbbe0a7a45b2e46105eb79d09a247d789dad7f6fac28657c810f87d7121c7dbafe1389eb8bc03382a0cf6f5ee4185fcaaefe0d3a2c7dc993f6add4e49334ab23fd2d39b5f85dca42722ce1f310e36eb35e074daab4a3b65603aacd07c8ffeec981248ab5b633e49c2e6f9eff8017381560bcd77a37ac435a20684d7cebb14f16aea782', X'0348bcd7ca732e680b170e23dd2aa372374a6ffc7da714d1e92b7eb5b5f6e28e', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (134, 1795433940000000, 'system', '', '', 'case opened', 'case', '31', 1, '', '{"rule":"difference from a statement"}', '', X'560ba7e6126e161f58c4a2db4702cfa9d53d6f497721d830d8af6f89cf663ee72134473339a94870cc4a2dbb49c3a2a6ccbb47508744829eec7916739d4d2bdf1e2ab4ea0c2bd8c3557c031cb14c8d17', X'6029c6005a93f5f1273643cc75dd08c0d7fc262efe5b923d9cc3fbda70f1424255b8e204d9540c06077521bc9a6e556128af433b63b26f450cef59b691a60c1bab40560dd015b08cf2e61c709e93be132f1baa58791f3baefe6250398d1aa0bf2a3ee54b966485f7272ee92c4d8bc70df842b2b61456555dd078b4d48e0233cbf043003f539164d816637868f02c2b99e27615e38985e0f75e590f98103dc867', X'27a0bc57a63d2dea771fd4e0352d00d9de52f89f3379945717e23e4df047ddbb', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (135, 1795433940000000, 'system', '', '', 'case opened', 'case', '32', 2, '', '{"rule":"difference from a statement"}', '', X'679d0ea39597907b2d6bf51524f5f51c7cbfab22bef23ef49a550d423f08b046b1403e26f1b1fcdac048918b5ab7b75658ff8d2a4e1eac74299b6b237bc8a9b14f5a918bb56e72be78994092ffc06012', X'2eb565f1eddb857b4b86d149d241c5851b347a24a11a8b8044b88753349bb4d0ba0214eed29dc4754d88b9bb64822ef93bf7d43ec0414f3edb51179196debec589e02a62fb5d9353bcab802d5d94721a4dd02c7cba67ca3f4dcda02f229a8fb2977284112a1c6a71d189a5be232234785881a929aa3cddc9149ad4c866d8d463d973da5476188ab90544303e46239b47019f66131592d8aefd75e015d7dcd4ba', X'aef998c177993dd816413f2bc788263e7fa016fdb4dde1bdf06239fa34116727', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (136, 1795433940000000, 'system', '', '', 'case opened', 'case', '33', 1, '', '{"rule":"difference from a statement"}', '', X'1dadeb6a5f0330e8c3299c3541f669082498b070f93e222baf194e8da1797c11563adbbd1ae8391826a36c31bfa7b0e7cf1a4419a01767f82a3aff8b94931d865bcb3d89237ffcc5149d51e6861eda99', X'2f7c38fef9f1ad0759999966857a29b8c80c065a66e3696b0eedaaac6bad8b67bcc6f5bb27e9dd59a8594726b7490ffd8f999ee17806bdfe08696156502a550cd5ef91bca2031beb913b73db83c26ef4c45772f017856c512a7b6cd64940bd69c0a20db8344313b1bec815b6d051c93e03b322def1cb4fdcad5275cce796fc7aa8e4b3391241ec103536f46784eeb0e935dffc9b50d125ded6df1e63261dca1f', X'14d50e1fc8fa47c514b66bd362898591707e78ecfcfbd887be4b5d4a3f54b341', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (137, 1795433940000000, 'system', '', '', 'statement comparison finished', 'statement', '1', 0, '', '{"bad_lines":0,"differences":13,"lines":3,"run":1}', '', X'3db7287556dcc9ef947d1b3fc26f72c9cb4ab870a7f5cec96ceac13108fabc6a6859f5cfc2829dce3b5d2f11f3d4d0195595b6fa715193d54a11c81fc2a9422600000000000000000000000000000000', X'e168af3890703938ee5b93475cf3a87eb85d5a0cb69d4733f0eaed54f719549385ffbafca492f29518b63b3f7cf0c5c18974a4c38339252602d1d7983b2a8f14ddf9c80d65577c528170ec5aeac6a9a7d5d9ba825df484aa1856a912d26018008d8682b658f1fb018a1ff521fbf6d65113fb5d8811452be8502fb24f9890c6b90000000000000000000000000000000000000000000000000000000000000000', X'9463003fd4cbae517371f5e9e1d3f0184890be67ae950051fc4694e21407b6a5', 1, '', 0, 0);
INSERT INTO `audit_events` VALUES (138, 1795434000000000, 'ada', '192.0.2.10', 'of ada', 'staff created', 'staff', '8', 0, '', '{"email":"","identity":"","name":"nora","role":"finance","username":"nora"}', '', X'f7b58e408999ab15246322fa04db46ce2d00ac2ab66937fd549e12605d699acc6a4e841b82a8b8c75fea6aae032a0a91ef9eaffb3cbfe4649096e4db9f8bd9fd99e1f05d5d4eab84f3d0736cbc695ed9', X'23c0cfe2cf7a977ca0db833df79324115b593acfaf715434c18b58a5bc53a2da72c691e897511484b94d371c3b78258e356a9208325267aebdd896421b2e4c2c4fcfb9309bb8a48ea48b2190d5274c341a61ea5351bae3aceb610bfd51b29af50c4dee7dc9998ac89f05d8b1cc7dd82a55a33cdaaa76731c99c9da641e5920bc2a8fa2f128fcc5a97090f02db36b9de186e8b6f85a4491a42bdcc8f8bed21369', X'884499a704f5f611d92a1ca1c9a5b31dbd615a19cedfc4ea2787cd98d6b5fbb5', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (139, 1795434060000000, 'ada', '192.0.2.10', 'of ada', 'staff password link made', 'staff', '8', 0, '', '{"delivery":"shown","expires":"2026-11-23T12:41:00Z"}', '', X'4c16b2bf636d3d35288f0fc9001d172c4d2ed6b4b6d5c8762612474afeba6300f70b9aecd900e575a48ea60ca071d382aa29679e8739b4e86bc69022fbcd2b4b0820425c0cca86d7e896c30b0127c1a8', X'f5ff3ed5ac19427363c60427498bf0363415b146e0697ddfc3275c591e1239511c88105db16a07d6aa0bc0ccb59aaaa264b2f5e5f8a3fca8f7d4974fe4994dcfa153cbf6ee636b684e054967c35e8bfb16ee0c50e7336bb4395ebe39827d83833eadaa2dc063888a217de052e683a3505de37d6d44e865bb45a295d4f9a4cf471955b4652b8615c53469196c8d29239a31a7bbc1174b4ff443ecd599fd7d8f55', X'5c4372e0dc35d5eee582764060c93ffb4773ad93cde5e7a157c4f97a86d97b4d', 2, '', 1, 138);
INSERT INTO `audit_events` VALUES (140, 1795434120000000, 'ada', '192.0.2.10', 'of ada', 'staff created', 'staff', '9', 0, '', '{"email":"","identity":"","name":"otto","role":"compliance","username":"otto"}', '', X'31cb3466d1d90098442519734882aa941bd026fbc842f6ebb5ca7a89832aa528164e2125e2aac9e63def482fc7040bbaa39ac81624fb0189a00c83289fe3c8bcff325472d5a1dabad6d0b0a631130f1d', X'888bdb2af6ccb061b5e07a9f417513cc47fc935a16436bee2a2329a1b049c50b381e82c4f222ff00ee5c0af1b5ca7e002cd21413ab3a93bad6031cc22f23406796a868da0d983b060561ac96e1fa5707316e8dca6c685b45d486353fb511b48c56d6386a9ec3cc67b136a9a304457e2f43e02a56e7a687df9d806fe8221e4ed2c7e98da0cc2bf9dc018a3b3207784fc245eccb4d10ee235b2ebefc9cd30cdd13', X'8dd6266926fa88e9735ecaa5b6e77bb74ee59625fad854a97868f9f1f88c89b5', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (141, 1795434180000000, 'ada', '192.0.2.10', 'of ada', 'staff password changed', 'staff', '9', 0, '', '', '', X'c86078921cb3d95066f13b7b81f1d276660157c06faa7b540e8b7ab65c1532d1af3940e42400c5301684a2d5b047f16a900e0a4ab290e47fb6280e990e91ec5dbcbc50c4ba080f69151a4b790e2b412f', X'17b4e67d20ed04c0b45db24fa58172708effddb3a9c6737b57766b7d1b31b93400a42c735ffc41fc52476f65b7523beef728bca69195e5508416e9edb097494ee76545d51ee756f0c503f2db5eba0d6ed3aa21742c2b8ceb7d05cfbb2518b56e4188a5f30c333684da5a506ef3619c2bf2cb2a45cca530324e165935051c0dce94c25ee373ea7d83f27b30fd0ac3fb228200fedf4747fa1b8ed0dfd2d2f22596', X'857f617de8e23c97a80998ac56a2069fd9dd92449e641918132bd5b143a23575', 2, '', 1, 140);
INSERT INTO `audit_events` VALUES (142, 1795434240000000, 'ada', '192.0.2.10', 'of ada', 'staff password changed', 'staff', '9', 0, '', '', '', X'd2959df84ea6ec976e81006a0577478e51c79b0609b2cd74cb1fcb7bbc5887ab3c8e259529cc7a22b0e89866f940514af3849a3d276846beb57c4a7240c225aba44740e2cdbcaa63532576cbe726bfe7', X'c6515e9347ce1a3bfb823624dd452529ead5a7ca605cc2aa8354634cbc8783718b65805c7ef51b6e503168492d9ed98b2b74a5205cb72983288673a42a9e17c2704b7d33a0c2aab3eaaa7e2e09fcd8265902705e9587cbba1008089eb4ad97477b4e465d15609c392339753a504d2330650149849c142d3788cc1eb78fe78552d5502707ab90c74fa127921bec1f0d0ef32e7326b27dbcc06a5e27938b6d658f', X'30e3d8251a95b75af97ce4087645969d308ce487d9a34b49bb36d550a8b9032d', 2, '', 1, 141);
INSERT INTO `audit_events` VALUES (143, 1795434300000000, 'ada', '192.0.2.10', 'of ada', 'staff second factor set up', 'staff', '9', 0, '', '', '', X'8ac504c1dad3942c20b59ccc243358cf3f4517358632f2b1463090166d12067312f414135a13d4ac56aafc63873d0b36c037de4ed27e22a56e7d1971b5f737028fd004fb4c7efbbbd2743d99312d1252', X'6568ed44cec02b981d01d9449383731035995634bb133d27f87bf27a0c6e6b12bedef1bbeb9a698bc8a337bb10d1eb94d04d422d3ad065a2902ee5ba3618216b3487b490c99cb84f2afc7d5de152a1b643a42520532e637dc3a5be329ed809d88fd2fc6b96c49d5f9ede3506b9da891d0ee1fed977e999310bbe5348b407086e5f9ed90521bd72b9708b37f4fb9d0388eb4052c91ad800cd18bdb1094fb31c65', X'929b9b78b2213ee8238aa494bb8762a7596295bb196ac03371c45036fc562629', 2, '', 1, 142);
INSERT INTO `audit_events` VALUES (144, 1795434360000000, 'ada', '192.0.2.10', 'of ada', 'staff passkey added', 'staff', '9', 0, '', 'key', '', X'a9163dbfebccc0a44c9e724ed97a22ea949d05131b39995cf3cb1b75bae5ce18d1ff72146c52aa872974c7fe10b3a8efbb11564a5a481345df4352be3e3e01974a0012e4bf69c223fbaeb64da57130a9', X'0fa562543cd8cd7fbd09e974e489331af0f0247699732a7dc70fe9cf35f968d35eee4110f9ff596822d2359315b1ef683d3c8881ead45e9d8b68a9c1ded2ad98a6565f8105444795106661ecac64f59b0d6f5ea83ae94ba2fb17486a5551f831738582de31ac99fb025148cc44346515cabaa179f4dca69808d8648f6a6b872d5744970fc05084846d94ec400102546127780d7b68c4a80f8ab6eb429ae55f2e', X'fefb2579e3c5e96bf0ef65dd016a725fd27b5bf521f619e0cafe30baf75dbcf9', 2, '', 1, 143);
INSERT INTO `audit_events` VALUES (145, 1795434420000000, 'ada', '192.0.2.10', 'of ada', 'staff created', 'staff', '10', 0, '', '{"email":"","identity":"","name":"olaf","role":"support","username":"olaf"}', '', X'55516c12fd2f24a71d87557136567e263eff3fca791e577dcdede4919405766c12f96aa81c972429d134597e7064925c5a5960412ada45b584f0851470f0bd759a17bc4749dec639ab2f072b084a5e8b', X'd49bd1a43242a6aa67b701ae794ba3c7a2e18e9827a600374fe9c3232b1e9f0077158427a9035d1ed4b0743e6c1cbf0a0354b484933acc64cf2d54bf0a68314ff10d168fb0d7177da538a40412c34c23a814e16a11f01fed657d48c0a02649771586c343461f1263d0e905a10ec921303f54ee824ddee1c3a018ea1aba0e4f878b2170e47eda19d8b42a1468371f1682f2a3b3d5d855b0f2b66b18b98a484e5e', X'b3f96b61a7e6c9ff3b31197653c54ce30a1806ac2076b743f13ea66c740198a2', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (146, 1795434480000000, 'ada', '192.0.2.10', 'of ada', 'staff disabled', 'staff', '10', 0, '', '', 'Left.', X'01137e8ae6f8d133ab759a7b47de51b49fd7922d74819084c874d8d34b1c940528695e4432621a52b4f12a8dad7102d09dde116e535199838f18e2545e264c5ee99431bae0291b0d655913615b9a0234', X'f8b6b308860a0358ea86a12290bc7efa492feaad4e2b29a884aa92c0638d6dd84b0388bb86b5f26c51112bf01dec0c220d520787c7a33871ccd43a7840c2655aef857e17073b0b06cbe1cb7699d726d6a4b6375702f5476a3989e7fbca2d6da3682a2135e73b84755d16e01c95e5b456f34f4bfcaee98a33ce79b5cf1750d51bb1f0e024971adc183f457d8e466870cbd85599609fec9bbb91e41b057764a9b1', X'd8982041c52a2afe03982189174da62c742650c4f5714e96ba9420d349c1f740', 2, '', 1, 145);
INSERT INTO `audit_events` VALUES (147, 1795434540000000, 'system', '', '', 'staff created', 'staff', '11', 0, '', '{"email":"","identity":"","name":"admin-one","role":"admin","username":"admin-one"}', '', X'b8823f0dd7cdfc83353355b20001bdaa45ba5aefc373b7fef62fcc772aaf82a43bab3196909471e4f489e36cafc3139422b87689684b3b1e75f1aa7c9f0023683e4cd7488c0387e3536079a3b7e41fb4', X'792254fe2d710eeb0fa31bf09a5912e97f9cac5483e67c07adfb1fccf10080cf741828ba5b49161ec33329b0eaf1cdb1f8e39377d1214c3d71416f250594a362b644f5a05a644657996ca3bd4e92c3707bf0625550e8e15433dad9860ee5e5b07df4c01840fe5a4cefba9a3c091c46d3090671124c5957a42d041602bd2f39a920286bcf6ff5d9a7b892618ec2f7322f4b0b5967d37ded5c9a620397dd844ecc', X'59762383683adf624d2246c8b3a81c27b0bc64ee79e140dd1493a938a98bfb38', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (148, 1795434540000000, 'system', '', '', 'staff created', 'staff', '12', 0, '', '{"email":"","identity":"","name":"admin-two","role":"admin","username":"admin-two"}', '', X'4e4ba64c5f59ca424b9f8f19d123b748ff76de1a3662497bc5843da54a9e483151821e8cc97524223a2179d455884e5deb19bb2282afdc5f393c4348e7843a352720654a555c3c221fea56c508d27e83', X'120e12cd06ebd2d4af931ef0e21c9535a203637de7111930d6879c4756ad6fad56f609e2b05af5f348b26abee106555c2e546ca0ac53c277462a04b3724fe0595aca9c7c3ce184e313976010775e27b136f6decedf73de6d1ab50960d12a16fb7bd4d20c7dbd2b5bfabfd35ba66f790a4f55b54f4d4cae2c0d4f39fbcfae97b2a25b58ec55648a65db75b6308281af505896fa235cf9771d406a72660c141ca8', X'ea9dba474bb40bba4605c9148279d47cc05e20a553a3479d3ab32b2526435225', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (149, 1795434540000000, 'admin-two', '', 's-admin-two', 'staff confirmed', 'staff', '9', 0, '', '', 'ada created the account.', X'c03a089979fb3187b7b9bb3146ff667c29be39fd9b8c1b6ee827fd019330a6e745d213396a364b2ae4a6b72cfe75a8ccf2d269310daeac96b17fc4b4b21ad1ab4dd4e84218aa0f9c86546480914c9d97', X'30ca005e3eac7476c2981ab5f0a5aac60ba194c6cdde8f38a8f121c4c71dfa7e42bd1666399ec0f0390b88dad783406dfa963d84a708432d786bcf96bfa5fb2bfeea655f336b5eb7af4841f919b7e122d62f4ca9b456c1b3a933d7d86b124eef96f5f57b4d00c8d9f83c2c520375ee72cff8b892aaf5a1bce86e66eae83e444ce22ab46a753eefffb3615070c3eb21e4f779608d205f0acc24233ca79b0ee9a1', X'992ca9a66b57ce5e975ae26f53a1de234d57a3e4f03b83c5a41bbec6352057c6', 2, '', 1, 144);
INSERT INTO `audit_events` VALUES (150, 1795434720000000, 'sofia', '192.0.2.10', 'of sofia', 'staff signed in', 'staff', '4', 0, '', '', '', X'2e86cee96526a073443d83e38eb465ffa6b6e883657a7c9cc489f6ad039ce43c67c5de114254aebf697b1a900f3d53bdfa31bd44b0ca69819ce68d0e8509f944a22b65ba97ee2f28a80176fbcb1573bb', X'a7545d7b60fa350840cebf4f538257904d6c853fc2ed40cf5295dfd6286af8bbfd0e690aad5273cea0ee74908a59d62a6ba0908c63cf233214b513f402b413872ef91cdc12d03342bcf6967d51e2cd6f82d4401368b3b6fffa0628139ba5a409bb0a90bc94ede0797791e45aebe466603530eb2d108ac66d226ac56ecdc74d31f9cdbcb4a72bdc84a5344d9f072211b1dbf6cbf6290f0a94f262a3419e0fcb92', X'4ef87db5cc3bf565e47c5c30af1c91c37d4fd2890c9626a12934b97b9d53cba6', 2, '', 1, 5);
INSERT INTO `audit_events` VALUES (151, 1795500180000000, 'farid', '192.0.2.10', 'of farid', 'figures requested', 'change', '7', 0, '{"value":"EUR"}', '{"requested_by":"farid","subject":"exchange rates","value":{"base":"EUR","rates":[{"day":"2026-11-23","currency":"TRY","rate":"0.0203"}]}}', 'Agreed in the meeting.', X'170000a4e070a42bd279493da3037b2517a4dda6688a4a92e5156d46794119ac9d48307b5a7b9d3da2195a96d6944de648b268c8becb00bdd180890d0bfca5d39a6006441e452842bcfaa21e33c919d4', X'0a67cd7da43cdf0b9de6df869bee85ad9f30124329ecd97ca85480d2c0fee404e002dcf35e6f45cc68a24d18fea4c296d20b44104d9425c002ade9c3e6734c40ca8825d188452e883cbe4b329b2af6c500b2d0fa453683c5a045bd59751f9d6dc6023c05488b84f5e45e61c3cfcebe2abbce6abf87709bd73bfdd40af043f60fcfe47fa058173ad7d39ad68ee2efb44cf809b84d40a1660990efede987a7a3f0', X'3505761ef172e34ab632d0bf6857ba04b948904aa4db3d12386500c5a12a3c6a', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (152, 1795500240000000, 'chloe', '192.0.2.10', 'of chloe', 'figures approved', 'change', '7', 0, '{"value":"EUR"}', '{"requested_by":"farid","subject":"exchange rates","value":{"base":"EUR","rates":[{"day":"2026-11-23","currency":"TRY","rate":"0.0203"}]}}', 'Requested by farid: Agreed in the meeting.', X'13910c57c56af1dbc140483c5dd731d7d05b49cfaa901456f081a217d9cc6505b64233bfe1663ff694743be143c556c096329dc36bf6150957df5c73c83e523d49f4b7a1238ce7c9bcfbb7bb168480fb', X'b152b290b7f818255a14d26ab46fea087f5c2723990855a9e8ba3d5e7d988597fcceeac97bd9737237b7caf70cbde52a3df63ebb25ef7dddf26a800319a38f50622eff91ba7e17a8f9b278976fcc59a7522af790dee83e43b261060ce0b09f65ff0a5dfa12f82610ac69d1133de859a7a07532eb56579ffdd1af8ef7e298033cb40ef0826d521365d3da483c3a248c055486a4c63e499fa70f9483a83af74fe2', X'a44771e446b4e34231bd5f74b553c3bac272b86e6d2979b4bceed010c8fedf27', 2, '', 1, 151);
INSERT INTO `audit_events` VALUES (153, 1795500300000000, 'mira', '192.0.2.10', 'of mira', 'day closed', 'day', '2026-11-23', 0, '', '{"digest":"88574f7445c30aab21c3a817dc93b2a5b4623789c6fbcd86d6acf98daffee96c","from":"2026-11-23T00:00:00Z","signed":"2026-11-23","until":"2026-11-24T00:00:00Z","zone":"UTC"}', '', X'5e1cd29867fd98456e03db28b1f5263b835b8786b440c6be75aca5174f5d9774859741e1f5881f3cc5907c53dea9a0154a88a90218d1e05b3273bf0cedff529700000000000000000000000000000000', X'd3ed689f6663dd830007cfae55da89762db7d88159967a02432d8491d44dc2b1ddcc589e10e3c4cbb6b9fc885a628e4cab8ce414ef12c6ce4d5f1cb563294f73cf8e056f757f31a7263303139d0926193d9e7f80b910f53a9713055a1efe99069231a438e533db06882c13d15e21894bc0f4510f2d997bb52ad74c34629b74a60000000000000000000000000000000000000000000000000000000000000000', X'df82a3083ce206420c1ccfecf7bcc92d4141c7fb6aa8b1633d9529387358b7df', 2, '', 0, 0);
INSERT INTO `audit_events` VALUES (154, 1795500300000000, 'mira', '192.0.2.10', 'of mira', 'day signed', 'day', '2026-11-23', 0, '', '{"checkpoint":0,"digest":"88574f7445c30aab21c3a817dc93b2a5b4623789c6fbcd86d6acf98daffee96c","faults":0,"open_cases":30,"role":"finance","statements":[{"statement":1,"run":1,"differences":13,"not_compared":0,"whole":false}],"unknown_grants":1,"verification":0}', 'Compared with the platform’s figures.', X'1565dc17abd277896481cf77bbbf77cb875635045b28351bcfcbd3190b579dc1061905c4731fe365a8e8f8746738e0fa01ce75641d73eedae9cd1b10bd3ae2fc435c7823aebf8a7c876e50bd2530cf92', X'f9809cb96ad3101fbe48a2215c55acc2ffc6bff79b73fe2ae03af27a24de43a3860249385b0d5b1afcb5cf4cce708c40d2be511a424985b097b6aff1cc87a61f6974544561510962765591ec308ce6ac45ea06f09031937050dd93b76930a861af7f350f04b0391c1d4d561a4917b8003a3aebc90057d4d2fdad1b1a7432e92ec69ebcbdcd271547281f2cc505a57dfd7fbd2b0d199f7b5722e8e4b2058e9027', X'2af3d1237f849fe09d173ddd4aeeced7f1f0b607e1623c93a5d4232587cb3d9f', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (155, 1795500360000000, 'chloe', '192.0.2.10', 'of chloe', 'day signed', 'day', '2026-11-23', 0, '', '{"checkpoint":0,"digest":"88574f7445c30aab21c3a817dc93b2a5b4623789c6fbcd86d6acf98daffee96c","faults":0,"open_cases":30,"role":"compliance","statements":[{"statement":1,"run":1,"differences":13,"not_compared":0,"whole":false}],"unknown_grants":1,"verification":0}', 'Compared with the platform’s figures.', X'f68bf7fcac04defad71502818eb99d37bef2530fc31e39c66f69ea80a18c46afbbcdba87674e8f51342eab2da6740deec16f04de655dd358697a27992bfc786f73afc7a050880225647035bc62b796ad', X'5b61d1d6f7af5e1de377b2df47424f5aa95af1c9e0512aff5f3fef08b4a75aceb575c8df27ebf0a6bbe79644a634a208850d234b6a210dc2544572dfc610ea232147285ed38cc3a97f8c48cfee8d95a2fbf9a604c3657bb908688503bd5adeacd28fc0a44387a360c8ff97c4a41e6e91a9ac3ba1f193c25f34fba2f77de1e8d2821392bd53425edf63a0ed1296bd861b9e4800e3178fe3ee05dad628db314f69', X'c0cb61b2dea6ce39e92190ed45aad98b4821d63c9b688c9657c0b22d2fec4973', 2, '', 1, 154);
INSERT INTO `audit_events` VALUES (156, 1795586460000000, 'system', '', '', 'case opened', 'case', '34', 1, '', '{"rule":"rollback of an unknown transaction"}', '', X'adb13b3fbd60adfb49a138d74671affdd78a77a029ce9a86f1c4d2f9de38b9b40df0e094464bca3bc11bf8e0e14e7b44fbc1c6c0925a489907f8626194e1c9953a5695fc06d99ee49b9adff601b722d2', X'a5d922a0737930b5552eef88abab2790075531aadd52edfb8b3fef59e0ffe5f0fb333e1306d8efde2574355a3c4d30f76c585d7c40f83b3eb42783bfe7881df51001b3adeed1405ca2d2da69220b7b66ee0f6333534db7f4cd2b764f0bed44ef4dfab15569ea58d65eb2848c7c1c9c65f93008d874cadb219d6884785eeb7ea2415ef49a118feeb3e443f6793764a0b3e87ec83072086e9f9d9b1bd246691880', X'305a6d0833576508f91a2dad1ddbf77ed86f53e791070edd6c3bb330864f81d1', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (157, 1795586460000000, 'system', '', '', 'case opened', 'case', '35', 1, '', '{"rule":"transaction ID reused with different details"}', '', X'ea57ccca5e9a49aa499acb8f93447f4f2faac6db519630c5c3a4e70122efb43af4ccbb6cbcd02efcf521e27e43f9dedd2d010f088ff2ad887e46d95955279c901b4f6a3ebc285e2fb12efd6d8a06a117', X'3ecc6c2b72cd54b82e47fbe659b8b1029bb10f363cefd4021590e8a7672a203f7ff70ea88301740416bfb4790826d6bed122d7d46d7198bc6c811a604963b9b02644a1735c7f964b044d3cc5fdac8bc410ab01f5cec69edd731cb7823acaa90d1ec610dfa5b4d284a4ab48baee09f3c2641cc603ee8b9096efb4e4b6667dc8d9e5f92ac6a69dd6e59ce27b775371cc9a22bcd022bfcaef78bd8c5f51940dc229', X'92219427411186b71be18ea976732dfd2d471203463a3396d2067e69069206a8', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (158, 1795586460000000, 'system', '', '', 'case opened', 'case', '36', 1, '', '{"rule":"win without a bet"}', '', X'faecadd9a5c727c4a693268b5468b22c79f6ed02f25df9f988b640030d97864ea7ced27ccdf1d5965b571457e5f76a4b4f2b505770f8f63660271d2d691c23a0d22186fa727d561d68cb61e565854377', X'bf542bda36dc801e6127e1e6f2320482126cd6ef355b9714a32601b3a0d861c36e373b0b1b71dea0bf30583690f1afe91e4f154ebca215f83c5d1a219dfd8f45b573de201c1e80460a76e4ae76588e1f347713cd593cd6c6a757e8087b4978c4d0659f8e1c8e48238d40e21e90939b630b604e24c1abad56ff1205b8d8a34f3040aadbbddf5ad8c336ca388772c53a52fb65b3a65c9b153585345cb57f131829', X'b88a1e969902d02ded1f5010da017c32c46378100bc299477ffe7113de0c30a1', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (159, 1795586460000000, 'system', '', '', 'case opened', 'case', '37', 1, '', '{"rule":"win without a bet"}', '', X'b6cae64dd0a8aa50d332a5e799fc46ee16d1a953c6c01a23eb5e1b49bcabdb061bca843e4b3c4b29beb439f1722126c11c96fa618ab5a8aa52be24b3402a954c48f208a3cf4f88622be09bb388a0cc61', X'5994923afbbf5017f147f26fd9122ea0ed0ee1a02a0bc9b402957ede3684dc165eb0a2ae3bbe20cc327d5a0aefee69641ab8ee44cc801ebf7010fd7f6e738acded0dbec0d073f96c73caba15e710f4cae39cf13682f7c3626b38de759bb8a9495fd95112487c70514b1084860b3886d60f6b4b8ae85c7b89db286d7b3432bcfeb1f3dcdb763527d8f85530e8e3a3ea6255d7dfc6a5871761da1d96f2ebc009d8', X'6cc867b6896555cebc67d655cde655793a305bf2e5178ed00d99e2ae343a1baa', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (160, 1795586460000000, 'system', '', '', 'case opened', 'case', '38', 4, '', '{"rule":"win without a bet"}', '', X'f10a34e61af8699017486fcd141dd66ad2354aaca1ed2d927f6f3d888e297211ce7476115715f01c8130bb04d0cb69b78a626d49075d2b509414a69cf75e6858a34a4f2edbc1dc59446fbd2b68a12b59', X'2d673998602fe63e531120d897478081b28b2be015f1d251ed7bf5c6d5da4be16cb873c80c051f30db4eca7b253bd99c1f63b46b1a8661aa8efe337af060e7228ee758bbbdbcda32772eae9d04c573312918beaf4a37c8d484fee1195fee68e41989d7993bc401c148ab2bf7257c60c29e1c54f76d914da1da3d2b7058ad08b6fecf5d8f30c3b4010be778e9796474cacd782f8ab215faa2667b8734f891a28e', X'e692dbb3222148d9918f4ae74a93bafe6be9fd565d44603444f2952197a26fc5', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (161, 1795586460000000, 'system', '', '', 'case opened', 'case', '39', 1, '', '{"rule":"win without a bet"}', '', X'6c795056ecab8a2e1a219481952871f847057049dc205d735f955a2e929b630bc142cabe48c2d4181d47c6ef562bc43688cf344dfbe29b1215ee162250daccd263614da3a2ab3789f2c0ff7724ca8c6d', X'bbe03364b17a2a471125fc41239c6591de32a3b80f7699a186cd10ca6a97de9ff4926d9f2c5ea8171d2c74227379a50d4b5e9687872034519c875c13e9d98fb6a24d8a04eb9f25d3d005b1006a3dac45af822f3019a397ee00e92292368e7a986fce13f6dee283abdcef87a01ccff3dba5183561804bd30673c4c047caa054bdf959e51f915bcc6ece3720688c44d7191fa5f974a79f7852585e5b1b6d0a6876', X'5770e5f9548ae959426a3461dbf0fa8e5fed2322961cc084b10e5637d07d3656', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (162, 1795586460000000, 'system', '', '', 'case opened', 'case', '40', 2, '', '{"rule":"free spin without a grant"}', '', X'aa3d6b33e73c410dd95803bc8f450c6a58f6d540ed03752c24c831f5fc5d9fe0df92e0a9ae10bf4cfffb976ba964f9ccf0325b5657deb068daeed1568de2aac7441b5d3efd1c94001dbfa6479526598d', X'0ca9f8267c2e951f46e83add008fd92e3333e7f8df13162ccd37192f27ab59341ffa5f274f3550e64e9ad406c8abef9a72dbfbfceb78dc086aec0983e49c680ccb203b991164be61f2b51e6efd91ec7936b682c771cc600acaf504629deffeb7ddb31ffa35a99dcb80c48a22ba4551998303e5cf3aba038f2a6854f6a4ef61c451b0656530fedd15e1adc2bf42a69a2227e39424943e36e2fc80df9daed0f94c', X'03f1559c93154e8a1b3344ef05142a31a0bd2b58d201da57357a069444a71ade', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (163, 1795586460000000, 'system', '', '', 'case opened', 'case', '41', 3, '', '{"rule":"unconfirmed grant"}', '', X'2f567425fccf0bd551a1794ecfc188a5c283344b488212a5373b6cad62357cc1bd5be8b711e8c7b8d4264e1b66dd44c1123da92fa81e3ea1a325bf871d1ef7b4e443051bb7e1731808cbc5ac1008c614', X'18f367666957c17d1acf10a854592c9bbbf175240cbf1e7845a811bef6ccf816d8496099940050eedc73b18365a7ec6d39721717dad9ba3dcc8fc5a684c11b68840b9bc4dc447f9aa08c15889bf2c73a2b82b61614bac501b1bb70439b98bdf02a8eaf7fea03da63ffd554ce8e174dff1facef5833b4255a2fd0399d9445c656317f2e74bf49f6bf2db9fb394ddf0a4905cc3792db4eabea1be4b87bba303e4f', X'c9dafe67f098702ce61b41914b866bc782c9df4d80f6b5ebcec477b272c1414c', 1, '', 1, 0);
INSERT INTO `audit_events` VALUES (164, 1795586520000000, 'chloe', '192.0.2.10', 'of chloe', 'ledger verified', 'verification', '1', 0, '', '{"faults":0}', '', X'a7608eb5405d3744daa7b17d363ab558f3c549b62c6fcb1d88bd7c8fdb0ba8201fde75a5228388a3f3813f67a2e737f6aa8f0cee2ac3157861e80f492e79bffddd7b33876606305ce1070500531ccc1d', X'25a42375ee6676db6298f4bed2356f8ec7ee85f28a98f7e299fef05c8e3b95ee0de9aa12a3de659a30d168f38ac640c9b3548a7efab4946fba3379c10d55daf3b70942f5006c0e15c0b0f3aa46dbf3f5b37529b985a37248ad6c272e218bb78057268c892076e5baca0cf614ae94fb1be14fe4aa21f62085fdc27c20553293620c7cdf611d5c1ac955d591eb86151b5605f62aa71f6a4a1496b7cfbfc17018cb', X'1b050eeab3da14f0fa1f301a875160b67249f520842cc236de198175c4f26b5f', 2, '', 1, 0);
INSERT INTO `audit_events` VALUES (165, 1795586580000000, 'tester', '127.0.0.1', 's1', 'checkpoint written', 'checkpoint', '1', 0, '', '{"audit_seq":164,"digest":"f23371581d896cbbd7e4e8124d86bead981423c623066dc50c80abf4270f2fe3","entries":45,"spin_entries":4,"wallets":5}', '', X'3f0a229a59e577ed0840dfd221dd8ece28eff007d65edbfe8b3a201fd6290cba378b1d6c45ad9da6c7103680f96bff460cfd34fa03c86782ce15e6fa8620ce1668393f22bca269c71fc333881e2bf677', X'43ebffad4a1db08d9ed5514050440dbc05e1a936d105e8a2b562456558b5001bda3ac6b8258691d1698286070ab1826d8362ef994293ef79503315303add46a17cfd51010490d5f1dd4c8ce2b0e486f947fa866c035d70d1ddafc9011fdcc3b62116a03c32733dccd17e6faeb5eb92c169cbf8f940b209f172356eeddaa01e4c25c38124255dfb31fb1a8258b0db70fe3ad43e80a1ea480f33f8b3a996fe2f01', X'454f8526b3c0a6ccf27eb48095aa408d3b9712200eff28a5b39e3ef98d9004cd', 1, '', 1, 0);
CREATE TABLE `audit_head` (
  `id` tinyint(4) NOT NULL,
  `seq` bigint(20) NOT NULL,
  `hash` binary(32) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `audit_head` VALUES (1, 165, X'454f8526b3c0a6ccf27eb48095aa408d3b9712200eff28a5b39e3ef98d9004cd');
CREATE TABLE `callback_minutes` (
  `minute_us` bigint(20) NOT NULL,
  `endpoint` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `result` int(11) NOT NULL,
  `answers` bigint(20) NOT NULL,
  PRIMARY KEY (`minute_us`,`endpoint`,`result`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `callback_minutes` VALUES (1795427340000000, 'RollbackTransaction', 8, 1);
INSERT INTO `callback_minutes` VALUES (1795427340000000, 'Withdraw', 0, 7);
CREATE TABLE `callback_records` (
  `at_us` bigint(20) NOT NULL,
  `request` bigint(20) NOT NULL,
  `received_us` bigint(20) NOT NULL,
  `kind` tinyint(4) NOT NULL,
  `verdict` tinyint(4) NOT NULL,
  `address` varbinary(16) NOT NULL,
  `user_id` varbinary(255) NOT NULL,
  `transaction_id` varbinary(255) NOT NULL,
  `round_id` varbinary(255) NOT NULL,
  `amount` varbinary(64) NOT NULL,
  `win_amount` varbinary(64) NOT NULL,
  `free_spin` tinyint(4) NOT NULL,
  `cause` varbinary(255) NOT NULL,
  `left_out` bigint(20) NOT NULL,
  `player_id` bigint(20) NOT NULL,
  `seq` bigint(20) NOT NULL,
  `result` int(11) NOT NULL,
  `status` int(11) NOT NULL,
  `balance_minor` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`at_us`,`request`),
  KEY `callback_records_verdict` (`verdict`),
  KEY `callback_records_address` (`address`),
  KEY `callback_records_user` (`user_id`),
  KEY `callback_records_transaction` (`transaction_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `callback_records` VALUES (-62135596800000000, 4294967309, 1795426680000000, 1, 2, X'cb007107', 'nobody', 'bet-4', 'r-bet-4', '1.00', '', 0, '', 0, 0, 0, 1, 200, 0);
INSERT INTO `callback_records` VALUES (1795426320000000, 4294967303, 1795426320000000, 4, 4, X'cb007107', 'anna', 'early', '', '', '', 0, '', 0, 1, 10, 3, 200, 99700);
INSERT INTO `callback_records` VALUES (1795426380000000, 4294967304, 1795426380000000, 1, 3, X'cb007107', 'anna', 'early', 'r-early', '1.00', '', 0, '', 0, 1, 0, 2, 200, 99700);
INSERT INTO `callback_records` VALUES (1795426440000000, 4294967305, 1795426440000000, 1, 5, X'cb007107', 'anna', 'bet-1', 'r-bet-1', '10.00', '', 0, '', 0, 1, 0, 4, 200, 99700);
INSERT INTO `callback_records` VALUES (1795426500000000, 4294967306, 1795426500000000, 1, 19, X'cb007107', 'anna', 'bet-1', 'r-bet-1', '10.01', '', 0, '', 0, 1, 0, 4, 200, 99700);
INSERT INTO `callback_records` VALUES (1795426560000000, 4294967307, 1795426560000000, 1, 7, X'cb007107', 'anna', 'bet-3', 'r-bet-3', '999999.99', '', 0, '', 0, 1, 0, 6, 200, 99700);
INSERT INTO `callback_records` VALUES (1795427280000000, 8589934592, 1795427280000000, 1, 21, X'20010db8000000000000000000000099', 'anna', 'bet-1', '<script>', 'much', '', 0, 'the sign does not match', 0, 0, 0, 3, 200, NULL);
CREATE TABLE `campaign_lines` (
  `campaign_id` bigint(20) NOT NULL,
  `line` bigint(20) NOT NULL,
  `player_id` bigint(20) NOT NULL,
  `game_id` bigint(20) NOT NULL,
  `spins` bigint(20) NOT NULL,
  `mac` binary(32) NOT NULL DEFAULT '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0',
  `grant_id` bigint(20) NOT NULL,
  `refused_at_us` bigint(20) NOT NULL,
  `message` text NOT NULL,
  PRIMARY KEY (`campaign_id`,`line`),
  KEY `campaign_lines_player` (`campaign_id`,`player_id`),
  KEY `campaign_lines_to_go` (`campaign_id`,`grant_id`,`refused_at_us`,`line`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `campaign_lines` VALUES (1, 1, 1, 2, 2, X'd6be5031ba076602fc53f887aec2f24578cb84da3274baafe35b50909ab088bc', 5, 0, '');
INSERT INTO `campaign_lines` VALUES (1, 2, 2, 2, 2, X'2757d90785521f8229d3bd91fe1112b8f375a34d6ce60c95daff07d7f3bcbd2a', 6, 0, '');
INSERT INTO `campaign_lines` VALUES (2, 1, 1, 2, 1, X'3372d7b7160d395affc092bf213cafaff7b5c97c872e7ecb75de719c9bea3433', 0, 0, '');
INSERT INTO `campaign_lines` VALUES (2, 2, 4, 2, 1, X'418eb631ab94b3519268fe5fe08eabe11043c977f2aed59ad84f395a84f22354', 0, 0, '');
INSERT INTO `campaign_lines` VALUES (3, 1, 1, 2, 130, X'b33a27db81114b2fce74ef32f8e732b4270f304799552270f62c5303e58e4ebc', 0, 0, '');
INSERT INTO `campaign_lines` VALUES (4, 1, 1, 2, 140, X'685e8431d4e95526bdcc47f1b8f503892519f2b20baaa53aa065ab7f4fb4e87d', 0, 0, '');
INSERT INTO `campaign_lines` VALUES (5, 1, 2, 2, 120, X'96c4daa5c2822a6115f14d4a99d7d39177466a3b6ee295d13c9f014a881e1edb', 0, 0, '');
INSERT INTO `campaign_lines` VALUES (6, 1, 1, 2, 150, X'32f858956d67206831dc43fec1e51f5f53dba729e89bd9e5e30061aacb682827', 0, 0, '');
CREATE TABLE `campaigns` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `at_us` bigint(20) NOT NULL,
  `actor` varchar(255) NOT NULL,
  `role` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `file_name` varchar(255) NOT NULL,
  `digest` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `name` text NOT NULL,
  `starts_at_us` bigint(20) NOT NULL,
  `ends_at_us` bigint(20) NOT NULL,
  `budget_spins` bigint(20) NOT NULL,
  `budget_cost` text NOT NULL,
  `stopped_for` text NOT NULL,
  `again` tinyint(4) NOT NULL,
  `job_state` tinyint(4) NOT NULL,
  `row_count` bigint(20) NOT NULL,
  `spins` bigint(20) NOT NULL,
  `exceeded` text NOT NULL DEFAULT '',
  `expires_at_us` bigint(20) NOT NULL DEFAULT 0,
  `maker_id` bigint(20) NOT NULL DEFAULT 0,
  `maker` varchar(255) NOT NULL DEFAULT '',
  `maker_role` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
  `state` tinyint(4) NOT NULL DEFAULT 0,
  `checker_id` bigint(20) NOT NULL DEFAULT 0,
  `checker` varchar(255) NOT NULL DEFAULT '',
  `checker_role` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
  `decided_at_us` bigint(20) NOT NULL DEFAULT 0,
  `decision_note` text NOT NULL DEFAULT '',
  `finished_at_us` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `campaigns_at` (`at_us`),
  KEY `campaigns_digest` (`digest`),
  KEY `campaigns_job_state` (`job_state`,`at_us`),
  KEY `campaigns_state` (`state`,`maker_id`),
  KEY `campaigns_maker` (`maker_id`,`at_us`)
) ENGINE=InnoDB AUTO_INCREMENT=7 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `campaigns` VALUES (1, 1795428480000000, 'bruno', 'bonus', 'Loyalty.csv', 'Loyalty', 'Loyalty', 0, 0, 0, 'null', '', 1, 5, 2, 4, '', 0, 0, '', '', 0, 0, '', '', 0, '', 1795428780000000);
INSERT INTO `campaigns` VALUES (2, 1795428840000000, 'bruno', 'bonus', 'Paused.csv', 'Paused', 'Paused', 0, 0, 0, 'null', '', 1, 3, 2, 2, '', 0, 0, '', '', 0, 0, '', '', 0, '', 0);
INSERT INTO `campaigns` VALUES (3, 1795428960000000, 'bruno', 'bonus', 'Refused.csv', 'Refused', 'Refused', 0, 0, 0, 'null', '', 1, 9, 1, 130, 'over the limit: spins in one grant, 50 allowed, 130 requested; over the limit: spins to one player a day, 100 allowed, 5 used already, 130 requested; over the limit: cost of one grant, 20.00 EUR allowed, 26.00 EUR requested', 1795688160000000, 3, 'bruno', 'bonus', 3, 5, 'farid', 'finance', 1795429020000000, 'Too many.', 1795429020000000);
INSERT INTO `campaigns` VALUES (4, 1795429080000000, 'bruno', 'bonus', 'Withdrawn.csv', 'Withdrawn', 'Withdrawn', 0, 0, 0, 'null', '', 1, 9, 1, 140, 'over the limit: spins in one grant, 50 allowed, 140 requested; over the limit: spins to one player a day, 100 allowed, 5 used already, 140 requested; over the limit: cost of one grant, 20.00 EUR allowed, 28.00 EUR requested', 1795688280000000, 3, 'bruno', 'bonus', 4, 0, '', '', 1795429140000000, 'A mistake.', 1795429140000000);
INSERT INTO `campaigns` VALUES (5, 1795429200000000, 'bruno', 'bonus', 'Approved.csv', 'Approved', 'Approved', 0, 0, 0, 'null', '', 1, 2, 1, 120, 'over the limit: spins in one grant, 50 allowed, 120 requested; over the limit: spins to one player a day, 100 allowed, 3 used already, 120 requested; over the limit: cost of one grant, 20.00 EUR allowed, 24.00 EUR requested', 1795688400000000, 3, 'bruno', 'bonus', 2, 5, 'farid', 'finance', 1795429260000000, '', 0);
INSERT INTO `campaigns` VALUES (6, 1795429320000000, 'bruno', 'bonus', 'Waiting.csv', 'Waiting', 'Waiting', 0, 0, 0, 'null', '', 1, 8, 1, 150, 'over the limit: spins in one grant, 50 allowed, 150 requested; over the limit: spins to one player a day, 100 allowed, 5 used already, 150 requested; over the limit: cost of one grant, 20.00 EUR allowed, 30.00 EUR requested', 1795688520000000, 3, 'bruno', 'bonus', 1, 0, '', '', 0, '', 0);
CREATE TABLE `case_notes` (
  `case_id` bigint(20) NOT NULL,
  `number` bigint(20) NOT NULL,
  `at_us` bigint(20) NOT NULL,
  `actor` varchar(255) NOT NULL,
  `body` text NOT NULL,
  PRIMARY KEY (`case_id`,`number`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `case_notes` VALUES (1, 1, 1795432440000000, 'farid', 'Asked the platform.');
INSERT INTO `case_notes` VALUES (2, 1, 1795432620000000, 'farid', 'Asked the platform.');
INSERT INTO `case_notes` VALUES (3, 1, 1795432800000000, 'farid', 'Asked the platform.');
INSERT INTO `case_notes` VALUES (20, 1, 1795433880000000, 'sofia', 'I never saw the win of 12.50.');
CREATE TABLE `cases` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `rule` tinyint(4) NOT NULL,
  `key_digest` binary(32) NOT NULL,
  `state` tinyint(4) NOT NULL,
  `at_us` bigint(20) NOT NULL,
  `found_at_us` bigint(20) NOT NULL,
  `player_id` bigint(20) NOT NULL,
  `transaction_number` bigint(20) NOT NULL,
  `transaction_id` varbinary(255) NOT NULL,
  `grant_id` bigint(20) NOT NULL,
  `statement_id` bigint(20) NOT NULL,
  `verification_id` bigint(20) NOT NULL,
  `amount_minor` bigint(20) NOT NULL,
  `currency` varbinary(8) NOT NULL,
  `owner` varchar(255) NOT NULL,
  `decided_by` varchar(255) NOT NULL,
  `decided_at_us` bigint(20) NOT NULL,
  `reason` text NOT NULL,
  `facts` text NOT NULL,
  `reference` varchar(400) NOT NULL,
  `due_us` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `cases_key` (`rule`,`key_digest`),
  KEY `cases_state` (`state`,`found_at_us`),
  KEY `cases_player` (`player_id`,`found_at_us`),
  KEY `cases_transaction` (`transaction_number`),
  KEY `cases_grant` (`grant_id`,`found_at_us`),
  KEY `cases_rule` (`state`,`rule`,`found_at_us`),
  KEY `cases_found` (`found_at_us`),
  KEY `cases_statement` (`statement_id`,`found_at_us`),
  KEY `cases_statement_state` (`statement_id`,`state`,`found_at_us`),
  KEY `cases_verification` (`verification_id`,`found_at_us`),
  KEY `cases_list_rule` (`rule`,`found_at_us`),
  KEY `cases_owner` (`owner`,`found_at_us`),
  KEY `cases_owner_state` (`owner`,`state`,`found_at_us`),
  KEY `cases_currency` (`currency`,`found_at_us`),
  KEY `cases_decided` (`decided_at_us`),
  KEY `cases_due` (`due_us`),
  KEY `cases_reference` (`reference`)
) ENGINE=InnoDB AUTO_INCREMENT=42 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `cases` VALUES (1, 10, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 2, 1795432380000000, 1795432380000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', 'farid', 1795432500000000, 'The platform confirmed it.', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (2, 13, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 3, 1795432560000000, 1795432560000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', 'farid', 1795432680000000, 'The platform confirmed it.', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (3, 2, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 4, 1795432740000000, 1795432740000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', 'farid', 1795432860000000, 'The platform confirmed it.', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (4, 6, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795432920000000, 1795432920000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (5, 5, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795432980000000, 1795432980000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (6, 4, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795433040000000, 1795433040000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (7, 23, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795433100000000, 1795433100000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (8, 22, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795433160000000, 1795433160000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (9, 3, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795433220000000, 1795433220000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (10, 25, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795433280000000, 1795433280000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (11, 11, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795433340000000, 1795433340000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (12, 21, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795433400000000, 1795433400000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (13, 1, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795433460000000, 1795433460000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (14, 8, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795433520000000, 1795433520000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (15, 12, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795433580000000, 1795433580000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (16, 7, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795433640000000, 1795433640000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (17, 20, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795433700000000, 1795433700000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (18, 24, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795433760000000, 1795433760000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (19, 9, X'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683', 1, 1795433820000000, 1795433820000000, 1, 0, '', 0, 0, 0, 120, 'EUR', '', '', 0, '', '[{"label":"Amount","value":"1.20"}]', '', 0);
INSERT INTO `cases` VALUES (20, 21, X'fec53c517cea20a132aa792f9bc29469ad09a49e958ab71624ee3345618862db', 1, 1795433880000000, 1795433880000000, 1, 0, '', 0, 0, 0, 0, '', 'sofia', '', 0, '', 'null', 'ADR 2026/114', 1796125080000000);
INSERT INTO `cases` VALUES (21, 11, X'62dfdc31c2c7956033cb2ade6709c88b3c541b2b594a8c1880b50c1e747a13f5', 1, 0, 1795433940000000, 2, 0, 'lost', 0, 1, 0, 500, 'EUR', '', '', 0, '', '[{"label":"Difference","value":"missing here"},{"label":"Here","value":"nothing"},{"label":"Platform","value":"bet of 5.00 EUR, applied"},{"label":"If the platform is right","value":"leave 5.00 EUR"},{"label":"Statement","value":"platform.csv, line 4"}]', '', 0);
INSERT INTO `cases` VALUES (22, 11, X'050985f77aa241ed103996d529a94324b406875148c5e483e42eeaebe584819d', 1, 1795426020000000, 1795433940000000, 1, 7, 'win-1', 0, 1, 0, 100, 'EUR', '', '', 0, '', '[{"label":"Difference","value":"amount differs: the amount: platform 8.00, here 7.00"},{"label":"Here","value":"win of 7.00 EUR, applied"},{"label":"Platform","value":"win of 8.00 EUR, applied"},{"label":"If the platform is right","value":"credit 1.00 EUR"},{"label":"Statement","value":"platform.csv, line 3"}]', '', 0);
INSERT INTO `cases` VALUES (23, 11, X'bc3fec0b047053725a2ec932e4bd69f2653db4a1c74b27c6d27cf28eb4373444', 1, 1795426620000000, 1795433940000000, 1, 13, 'alone', 0, 1, 0, 50, 'EUR', '', '', 0, '', '[{"label":"Difference","value":"missing at platform"},{"label":"Here","value":"win of 0.50 EUR, applied"},{"label":"Platform","value":"nothing"},{"label":"If the platform is right","value":"leave 0.50 EUR"},{"label":"Statement","value":"platform.csv"}]', '', 0);
INSERT INTO `cases` VALUES (24, 11, X'1c56c92aba882fd86bef7154760f8e5840d778be6a032dc22d5efcdc74a1a544', 1, 1795426860000000, 1795433940000000, 2, 16, 'bet-5', 0, 1, 0, 300, 'EUR', '', '', 0, '', '[{"label":"Difference","value":"missing at platform"},{"label":"Here","value":"bet of 3.00 EUR, applied"},{"label":"Platform","value":"nothing"},{"label":"If the platform is right","value":"refund 3.00 EUR"},{"label":"Statement","value":"platform.csv"}]', '', 0);
INSERT INTO `cases` VALUES (25, 11, X'8e8a812e80f9b28c900f04db51abcf05e3d6e0a427a132c8fea0d2d63e12d006', 1, 1795426920000000, 1795433940000000, 4, 17, 'bet-6', 0, 1, 0, 2000, 'TRY', '', '', 0, '', '[{"label":"Difference","value":"missing at platform"},{"label":"Here","value":"bet of 20.00 TRY, applied"},{"label":"Platform","value":"nothing"},{"label":"If the platform is right","value":"refund 20.00 TRY"},{"label":"Statement","value":"platform.csv"}]', '', 0);
INSERT INTO `cases` VALUES (26, 11, X'cdde357f08c5af0d3bd093a9d304208ee7bed56a83ee47b5225a3bc7bba117df', 1, 1795426980000000, 1795433940000000, 4, 18, 'win-6', 0, 1, 0, 90000, 'TRY', '', '', 0, '', '[{"label":"Difference","value":"missing at platform"},{"label":"Here","value":"win of 900.00 TRY, applied"},{"label":"Platform","value":"nothing"},{"label":"If the platform is right","value":"leave 900.00 TRY"},{"label":"Statement","value":"platform.csv"}]', '', 0);
INSERT INTO `cases` VALUES (27, 11, X'8c4e6d27a668d5b09f235a8b6e53ec75278ef22476e6abe7f7e17e3312d78643', 1, 1795427040000000, 1795433940000000, 5, 19, 'both-7', 0, 1, 0, 50, 'EUR', '', '', 0, '', '[{"label":"Difference","value":"missing at platform"},{"label":"Here","value":"bet and win of 1.00 / 0.50 EUR, applied"},{"label":"Platform","value":"nothing"},{"label":"If the platform is right","value":"refund 0.50 EUR"},{"label":"Statement","value":"platform.csv"}]', '', 0);
INSERT INTO `cases` VALUES (28, 11, X'1a80456333970f6f2bc57249649a4adccf455f6b0b041bd637c08ad5eda73de8', 1, 1795427160000000, 1795433940000000, 1, 21, 'bet-9', 0, 1, 0, 600, 'EUR', '', '', 0, '', '[{"label":"Difference","value":"missing at platform"},{"label":"Here","value":"bet of 6.00 EUR, applied"},{"label":"Platform","value":"nothing"},{"label":"If the platform is right","value":"refund 6.00 EUR"},{"label":"Statement","value":"platform.csv"}]', '', 0);
INSERT INTO `cases` VALUES (29, 11, X'5357648fdb48762f76acb1bf57ac2ac9dd86929c18a2849fdd34423a4dd41c67', 1, 1795427220000000, 1795433940000000, 2, 22, 'void', 0, 1, 0, 700, 'EUR', '', '', 0, '', '[{"label":"Difference","value":"missing at platform"},{"label":"Here","value":"bet of 7.00 EUR, applied"},{"label":"Platform","value":"nothing"},{"label":"If the platform is right","value":"refund 7.00 EUR"},{"label":"Statement","value":"platform.csv"}]', '', 0);
INSERT INTO `cases` VALUES (30, 11, X'0f9f7bee9d441750b9678511e27c7e566f6e97490b852fb5cdc91a730d81ed0f', 1, 1795427520000000, 1795433940000000, 1, 23, 'spin-1', 0, 1, 0, 0, 'EUR', '', '', 0, '', '[{"label":"Difference","value":"missing at platform"},{"label":"Here","value":"free spin of 0.20 EUR, applied"},{"label":"Platform","value":"nothing"},{"label":"If the platform is right","value":"no money differs"},{"label":"Statement","value":"platform.csv"}]', '', 0);
INSERT INTO `cases` VALUES (31, 11, X'3392d3d28e06584ae1b1f1f23050fb0fbeb454fb3519ec09a7b6762b29347e19', 1, 1795427580000000, 1795433940000000, 1, 24, 'spin-1-win', 0, 1, 0, 150, 'EUR', '', '', 0, '', '[{"label":"Difference","value":"missing at platform"},{"label":"Here","value":"win of 1.50 EUR, applied"},{"label":"Platform","value":"nothing"},{"label":"If the platform is right","value":"leave 1.50 EUR"},{"label":"Statement","value":"platform.csv"}]', '', 0);
INSERT INTO `cases` VALUES (32, 11, X'399676cca7b88d1f6611524989c1b6644126108b20f894dcaf9e5ffd3597235d', 1, 1795427760000000, 1795433940000000, 2, 27, 'spin-3', 0, 1, 0, 0, 'EUR', '', '', 0, '', '[{"label":"Difference","value":"missing at platform"},{"label":"Here","value":"free spin of 0.20 EUR, applied"},{"label":"Platform","value":"nothing"},{"label":"If the platform is right","value":"no money differs"},{"label":"Statement","value":"platform.csv"}]', '', 0);
INSERT INTO `cases` VALUES (33, 11, X'693f92abdcf39dce5ef21bf2d2a54213c9ed19b0ed01aa362beb90c7859b18ff', 1, 1795431780000000, 1795433940000000, 1, 45, 'bet-9-win', 0, 1, 0, 900, 'EUR', '', '', 0, '', '[{"label":"Difference","value":"missing at platform"},{"label":"Here","value":"win of 9.00 EUR, applied"},{"label":"Platform","value":"nothing"},{"label":"If the platform is right","value":"leave 9.00 EUR"},{"label":"Statement","value":"platform.csv"}]', '', 0);
INSERT INTO `cases` VALUES (34, 1, X'ca631b5fa7d42b06a2869ef6fe5b3bb97d93a32b732200e0ba310aa4cac0341d', 1, 1795426320000000, 1795586460000000, 1, 0, 'early', 0, 0, 0, 0, 'EUR', '', '', 0, '', '[{"label":"What came","value":"RollbackTransaction for a transaction that was neither applied nor refused"},{"label":"Answered","value":"8, transaction not found"}]', '', 0);
INSERT INTO `cases` VALUES (35, 4, X'39157be9cd34adcf8a07a538970b61750c8627e724de87461394b166ff5b4fef', 1, 1795426500000000, 1795586460000000, 1, 6, 'bet-1', 0, 0, 0, 0, 'EUR', '', '', 0, '', '[{"label":"The first","value":"bet of 10.00 EUR, round r-bet-1"},{"label":"Came again as","value":"Withdraw of 10.01 EUR, round r-bet-1"},{"label":"Answered","value":"11, duplicate transaction: the first stands"}]', '', 0);
INSERT INTO `cases` VALUES (36, 5, X'8842c50e590199a9ad0ca59f52216b15a3cd6fd5f6501d13ac445030f424e172', 1, 1795426020000000, 1795586460000000, 1, 7, 'win-1', 0, 0, 0, 700, 'EUR', '', '', 0, '', '[{"label":"Win","value":"7.00 EUR"},{"label":"Round","value":"r-win-1, without a bet or free spin that stood before the win"}]', '', 0);
INSERT INTO `cases` VALUES (37, 5, X'70bffeab08a5fe0ad66947f43d44180fad18adb8652d75afa83042306cc79f79', 1, 1795426620000000, 1795586460000000, 1, 13, 'alone', 0, 0, 0, 50, 'EUR', '', '', 0, '', '[{"label":"Win","value":"0.50 EUR"},{"label":"Round","value":"r-alone, without a bet or free spin that stood before the win"}]', '', 0);
INSERT INTO `cases` VALUES (38, 5, X'6ad3d49981d1198f7c2c2a78fc299a5519a93b0ab54f09d31d49aa9f379237fe', 1, 1795426980000000, 1795586460000000, 4, 18, 'win-6', 0, 0, 0, 90000, 'TRY', '', '', 0, '', '[{"label":"Win","value":"900.00 TRY"},{"label":"Round","value":"r-win-6, without a bet or free spin that stood before the win"}]', '', 0);
INSERT INTO `cases` VALUES (39, 5, X'd384f74e0f8dbc86cc6fe76229c9b539ba4c6fbf34f3d44d9aebe27db74d5177', 1, 1795427580000000, 1795586460000000, 1, 24, 'spin-1-win', 0, 0, 0, 150, 'EUR', '', '', 0, '', '[{"label":"Win","value":"1.50 EUR"},{"label":"Round","value":"r-spin-1-win, without a bet or free spin that stood before the win"}]', '', 0);
INSERT INTO `cases` VALUES (40, 6, X'9e49966a53a5aec73b4331a2975a4703c732a87a71ed0c5c58ed66a76e70e08e', 1, 1795427760000000, 1795586460000000, 2, 27, 'spin-3', 0, 0, 0, 20, 'EUR', '', '', 0, '', '[{"label":"Stake not taken","value":"0.20 EUR"},{"label":"Grants","value":"the player had none with spins left that was open, under way or recently ended"}]', '', 0);
INSERT INTO `cases` VALUES (41, 8, X'7392a57146de1096362d942a5964deddbfdec5d2ff9cacae6bf87c094dbee7e8', 1, 1795428360000000, 1795586460000000, 3, 0, '', 4, 0, 0, 0, 'EUR', '', '', 0, '', '[{"label":"Granted","value":"1 spins"},{"label":"The platform","value":"gave no answer that could be read. The spins may or may not have been granted."}]', '', 0);
CREATE TABLE `cash_reviews` (
  `id` bigint(20) NOT NULL,
  `at_us` bigint(20) NOT NULL,
  `player_id` bigint(20) NOT NULL,
  `transaction_id` varbinary(255) NOT NULL,
  `amount_minor` bigint(20) NOT NULL,
  `currency` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `maker_id` bigint(20) NOT NULL,
  `maker` varchar(255) NOT NULL,
  `maker_role` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `state` tinyint(4) NOT NULL,
  `checker_id` bigint(20) NOT NULL,
  `checker` varchar(255) NOT NULL,
  `checker_role` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `decided_at_us` bigint(20) NOT NULL,
  `decision_note` text NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `cash_reviews_transaction` (`transaction_id`),
  KEY `cash_reviews_player` (`player_id`,`at_us`,`id`),
  KEY `cash_reviews_state` (`state`,`at_us`,`id`),
  KEY `cash_reviews_maker` (`maker_id`,`at_us`,`id`),
  KEY `cash_reviews_at` (`at_us`,`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `cash_reviews` VALUES (37, 1795430340000000, 1, 'approved@1', 3000, 'EUR', 0, 'api:cashier', '', 2, 5, 'farid', 'finance', 1795430400000000, '');
INSERT INTO `cash_reviews` VALUES (38, 1795430460000000, 1, 'refused@1', 3000, 'EUR', 0, 'api:cashier', '', 3, 5, 'farid', 'finance', 1795430520000000, 'Unknown card.');
INSERT INTO `cash_reviews` VALUES (40, 1795430580000000, 1, 'waiting@1', 3000, 'EUR', 0, 'api:cashier', '', 1, 0, '', '', 0, '');
CREATE TABLE `change_requests` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `at_us` bigint(20) NOT NULL,
  `subject` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `value_before` mediumtext NOT NULL,
  `value_after` mediumtext NOT NULL,
  `reason` text NOT NULL,
  `day` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
  `maker_id` bigint(20) NOT NULL,
  `maker` varchar(255) NOT NULL,
  `maker_role` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `state` tinyint(4) NOT NULL,
  `checker_id` bigint(20) NOT NULL,
  `checker` varchar(255) NOT NULL,
  `checker_role` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `decided_at_us` bigint(20) NOT NULL,
  `decision_note` text NOT NULL,
  PRIMARY KEY (`id`),
  KEY `change_requests_state` (`state`,`id`),
  KEY `change_requests_day` (`subject`,`day`)
) ENGINE=InnoDB AUTO_INCREMENT=8 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `change_requests` VALUES (1, 1795424940000000, 'grant limits', '{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30000}}', '{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30000,"Cost":{"EUR":{"Grant":2000,"PlayerPerDay":4000,"HousePerDay":600000}}},"SpinCost":{"EUR":20}}', 'Agreed in the meeting.', '', 1, 'ada', 'admin', 2, 2, 'adam', 'admin', 1795425000000000, '');
INSERT INTO `change_requests` VALUES (2, 1795425060000000, 'base currency', '""', '"EUR"', 'Agreed in the meeting.', '', 5, 'farid', 'finance', 2, 7, 'chloe', 'compliance', 1795425120000000, '');
INSERT INTO `change_requests` VALUES (3, 1795425180000000, 'grant limits', '{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30000,"Cost":{"EUR":{"Grant":2000,"PlayerPerDay":4000,"HousePerDay":600000}}},"SpinCost":{"EUR":20}}', '{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30001,"Cost":{"EUR":{"Grant":2000,"PlayerPerDay":4000,"HousePerDay":600000}}},"SpinCost":{"EUR":20}}', 'Agreed in the meeting.', '', 1, 'ada', 'admin', 3, 2, 'adam', 'admin', 1795425240000000, 'Not now.');
INSERT INTO `change_requests` VALUES (4, 1795425300000000, 'grant limits', '{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30000,"Cost":{"EUR":{"Grant":2000,"PlayerPerDay":4000,"HousePerDay":600000}}},"SpinCost":{"EUR":20}}', '{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30001,"Cost":{"EUR":{"Grant":2000,"PlayerPerDay":4000,"HousePerDay":600000}}},"SpinCost":{"EUR":20}}', 'Agreed in the meeting.', '', 1, 'ada', 'admin', 1, 0, '', '', 0, '');
INSERT INTO `change_requests` VALUES (5, 1795429560000000, 'API client', '', '{"id":0,"name":"cashier","scopes":["players","deposits","cashouts","launches","grants","read","restriction-kinds"],"networks":"127.0.0.1/32","test":false,"per_minute":6000,"cash":"EUR 500.00","cash_per_day":"EUR 2000.00","cash_per_player":"","approve_above":"EUR 20.00","webhook":"https://127.0.0.1:9/events","events":["player","restriction","grant","game session","correction","cash-out"]}', 'Agreed in the meeting.', '', 1, 'ada', 'admin', 2, 2, 'adam', 'admin', 1795429620000000, '');
INSERT INTO `change_requests` VALUES (6, 1795429680000000, 'API secret', '{"id":1,"revoked_at":"","secret_at":""}', '{"id":1,"name":"cashier","first":"40d854d2d6b26a34c1b02b623aaaaa0ec6e38f82b1f40d0ca8ecd0c7d44c5e17","overlap":0}', 'It goes live.', '', 1, 'ada', 'admin', 2, 2, 'adam', 'admin', 1795429740000000, '');
INSERT INTO `change_requests` VALUES (7, 1795500180000000, 'exchange rates', 'EUR', '{"base":"EUR","rates":[{"day":"2026-11-23","currency":"TRY","rate":"0.0203"}]}', 'Agreed in the meeting.', '2026-11-23', 5, 'farid', 'finance', 2, 7, 'chloe', 'compliance', 1795500240000000, '');
CREATE TABLE `checkpoints` (
  `number` bigint(20) NOT NULL,
  `at_us` bigint(20) NOT NULL,
  `previous` binary(32) NOT NULL,
  `digest` binary(32) NOT NULL,
  `signature` binary(32) NOT NULL,
  `key_fingerprint` varbinary(64) NOT NULL,
  `actor` varchar(255) NOT NULL,
  `wallets` bigint(20) NOT NULL,
  `entries` bigint(20) NOT NULL,
  `spin_entries` bigint(20) NOT NULL,
  `audit_seq` bigint(20) NOT NULL,
  `size_bytes` bigint(20) NOT NULL,
  `file_name` varchar(255) NOT NULL DEFAULT '',
  `kept_at_us` bigint(20) NOT NULL DEFAULT 0,
  PRIMARY KEY (`number`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `checkpoints` VALUES (1, 1795586580000000, X'0000000000000000000000000000000000000000000000000000000000000000', X'f23371581d896cbbd7e4e8124d86bead981423c623066dc50c80abf4270f2fe3', X'f2cca98e9a29aebdf269014d53b0113210d9313b17a5a6e16fdc741a732f0896', '50015e51341b6daa', 'tester', 5, 45, 4, 164, 667, 'a file', 0);
CREATE TABLE `client_cash` (
  `client_id` bigint(20) NOT NULL,
  `day_us` bigint(20) NOT NULL,
  `player_id` bigint(20) NOT NULL,
  `kind` tinyint(4) NOT NULL,
  `currency` varbinary(8) NOT NULL,
  `amount_minor` bigint(20) NOT NULL,
  PRIMARY KEY (`client_id`,`day_us`,`player_id`,`kind`,`currency`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `client_cash` VALUES (1, 1795392000000000, 0, 0, '', 0);
INSERT INTO `client_cash` VALUES (1, 1795392000000000, 0, 7, 'EUR', 5000);
INSERT INTO `client_cash` VALUES (1, 1795392000000000, 0, 8, 'EUR', 6300);
INSERT INTO `client_cash` VALUES (1, 1795392000000000, 1, 7, 'EUR', 5000);
INSERT INTO `client_cash` VALUES (1, 1795392000000000, 1, 8, 'EUR', 6300);
CREATE TABLE `closed_days` (
  `day` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `zone` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `from_us` bigint(20) NOT NULL,
  `until_us` bigint(20) NOT NULL,
  `closed_at_us` bigint(20) NOT NULL,
  `digest` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `stakes` text NOT NULL,
  PRIMARY KEY (`day`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `closed_days` VALUES ('2026-11-23', 'UTC', 1795392000000000, 1795478400000000, 1795500300000000, '88574f7445c30aab21c3a817dc93b2a5b4623789c6fbcd86d6acf98daffee96c', '[]');
CREATE TABLE `corrections` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `at_us` bigint(20) NOT NULL,
  `kind` tinyint(4) NOT NULL,
  `player_id` bigint(20) NOT NULL,
  `transaction_id` varbinary(255) NOT NULL,
  `round_id` varbinary(255) NOT NULL,
  `amount_minor` bigint(20) NOT NULL,
  `effect_minor` bigint(20) NOT NULL,
  `reason` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `note` text NOT NULL,
  `reference` varchar(255) NOT NULL,
  `another` text NOT NULL,
  `maker_id` bigint(20) NOT NULL,
  `maker` varchar(255) NOT NULL,
  `maker_role` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `asked_before_minor` bigint(20) NOT NULL,
  `assignee` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
  `state` tinyint(4) NOT NULL,
  `checker_id` bigint(20) NOT NULL,
  `checker` varchar(255) NOT NULL,
  `checker_role` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `decided_at_us` bigint(20) NOT NULL,
  `decision_note` text NOT NULL,
  `seq` bigint(20) NOT NULL,
  `spin` tinyint(4) NOT NULL,
  `before_minor` bigint(20) NOT NULL,
  `after_minor` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `corrections_at` (`at_us`),
  KEY `corrections_amount` (`amount_minor`),
  KEY `corrections_state` (`state`,`at_us`),
  KEY `corrections_kind` (`kind`,`at_us`),
  KEY `corrections_reason` (`reason`,`at_us`),
  KEY `corrections_assignee` (`assignee`,`at_us`),
  KEY `corrections_player` (`player_id`,`at_us`),
  KEY `corrections_transaction` (`transaction_id`),
  KEY `corrections_reference` (`reference`),
  KEY `corrections_maker` (`maker_id`,`at_us`),
  KEY `corrections_checker` (`checker_id`,`at_us`),
  KEY `corrections_decided` (`decided_at_us`)
) ENGINE=InnoDB AUTO_INCREMENT=8 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `corrections` VALUES (1, 1795431360000000, 1, 1, '', '', 300, 300, 'goodwill', 'As agreed.', '', 'each of these is for another loss', 4, 'sofia', 'support', 97700, '', 2, 6, 'mira', 'finance', 1795431420000000, '', 31, 0, 97700, 98000);
INSERT INTO `corrections` VALUES (2, 1795431480000000, 2, 1, '', '', 100, -100, 'paid-twice', 'As agreed.', '', 'each of these is for another loss', 4, 'sofia', 'support', 98000, '', 2, 6, 'mira', 'finance', 1795431540000000, '', 32, 0, 98000, 97900);
INSERT INTO `corrections` VALUES (3, 1795431600000000, 3, 1, 'bet-8', 'r-bet-8', 400, 400, 'round-voided', 'Their ticket 88213.', '', 'each of these is for another loss', 4, 'sofia', 'support', 97900, '', 2, 6, 'mira', 'finance', 1795431660000000, '', 33, 0, 97900, 98300);
INSERT INTO `corrections` VALUES (4, 1795431720000000, 4, 1, 'bet-9-win', 'r-bet-9-win', 900, 900, 'win-not-credited', 'Their win was lost.', '', 'each of these is for another loss', 4, 'sofia', 'support', 98300, '', 2, 6, 'mira', 'finance', 1795431780000000, '', 34, 0, 98300, 99200);
INSERT INTO `corrections` VALUES (5, 1795431840000000, 1, 1, '', '', 1000, 1000, 'goodwill', 'As agreed.', '', 'each of these is for another loss', 4, 'sofia', 'support', 99200, '', 3, 5, 'farid', 'finance', 1795431900000000, 'The player’s history explains it.', 0, 0, 0, 0);
INSERT INTO `corrections` VALUES (6, 1795432020000000, 1, 1, '', '', 2000, 2000, 'goodwill', 'As agreed.', '', 'each of these is for another loss', 4, 'sofia', 'support', 99200, '', 4, 0, '', '', 1795432080000000, 'A mistake.', 0, 0, 0, 0);
INSERT INTO `corrections` VALUES (7, 1795432200000000, 1, 1, '', '', 500, 500, 'goodwill', 'As agreed.', '', 'each of these is for another loss', 4, 'sofia', 'support', 99200, 'farid', 1, 0, '', '', 0, '', 0, 0, 0, 0);
CREATE TABLE `daily_heads` (
  `player_id` bigint(20) NOT NULL,
  `currency` varbinary(8) NOT NULL,
  `test` tinyint(4) NOT NULL,
  `seq` bigint(20) NOT NULL,
  `balance_minor` bigint(20) NOT NULL,
  `held_minor` bigint(20) NOT NULL,
  `day` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `spin_seq` bigint(20) NOT NULL,
  `spin_day` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  PRIMARY KEY (`player_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `daily_heads` VALUES (1, 'EUR', 0, 35, 99100, 3100, '2026-11-24', 3, '2026-11-23');
INSERT INTO `daily_heads` VALUES (2, 'EUR', 0, 3, 49000, 0, '2026-11-23', 1, '2026-11-23');
INSERT INTO `daily_heads` VALUES (3, 'EUR', 0, 1, 0, 0, '2026-11-23', 0, '');
INSERT INTO `daily_heads` VALUES (4, 'TRY', 0, 3, 488000, 0, '2026-11-23', 0, '');
INSERT INTO `daily_heads` VALUES (5, 'EUR', 1, 3, 49950, 0, '2026-11-23', 0, '');
CREATE TABLE `daily_sums` (
  `day` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `player_id` bigint(20) NOT NULL,
  `currency` varbinary(8) NOT NULL,
  `test` tinyint(4) NOT NULL,
  `from_seq` bigint(20) NOT NULL,
  `to_seq` bigint(20) NOT NULL,
  `from_spin_seq` bigint(20) NOT NULL,
  `to_spin_seq` bigint(20) NOT NULL,
  `bets` bigint(20) NOT NULL,
  `stake_minor` bigint(20) NOT NULL,
  `stake_reversed_minor` bigint(20) NOT NULL,
  `win_minor` bigint(20) NOT NULL,
  `win_reversed_minor` bigint(20) NOT NULL,
  `spins` bigint(20) NOT NULL,
  `spin_stake_minor` bigint(20) NOT NULL,
  `spin_win_minor` bigint(20) NOT NULL,
  `spin_win_reversed_minor` bigint(20) NOT NULL,
  `reversals` bigint(20) NOT NULL,
  `opening_minor` bigint(20) NOT NULL,
  `credit_minor` bigint(20) NOT NULL,
  `debit_minor` bigint(20) NOT NULL,
  `corrections` bigint(20) NOT NULL,
  `deposit_minor` bigint(20) NOT NULL,
  `requested_minor` bigint(20) NOT NULL,
  `returned_minor` bigint(20) NOT NULL,
  `paid_minor` bigint(20) NOT NULL,
  `moved_minor` bigint(20) NOT NULL,
  `players` bigint(20) NOT NULL,
  `largest_win_minor` bigint(20) NOT NULL,
  `largest_win_seq` bigint(20) NOT NULL,
  PRIMARY KEY (`day`,`player_id`),
  KEY `daily_sums_win` (`day`,`currency`,`largest_win_minor`),
  KEY `daily_sums_player` (`player_id`,`day`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `daily_sums` VALUES ('2026-11-23', 1, 'EUR', 0, 1, 34, 1, 3, 5, 2750, 1150, 2740, 940, 1, 20, 0, 0, 5, 100000, 300, 100, 2, 5000, 9400, 3200, 3100, 99200, 1, 900, 5);
INSERT INTO `daily_sums` VALUES ('2026-11-23', 2, 'EUR', 0, 1, 3, 1, 1, 2, 1000, 0, 0, 0, 1, 20, 0, 0, 0, 50000, 0, 0, 0, 0, 0, 0, 0, 49000, 1, 0, 0);
INSERT INTO `daily_sums` VALUES ('2026-11-23', 3, 'EUR', 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO `daily_sums` VALUES ('2026-11-23', 4, 'TRY', 0, 1, 3, 0, 0, 1, 2000, 0, 90000, 0, 0, 0, 0, 0, 0, 400000, 0, 0, 0, 0, 0, 0, 0, 488000, 1, 90000, 3);
INSERT INTO `daily_sums` VALUES ('2026-11-23', 5, 'EUR', 1, 1, 3, 0, 0, 1, 100, 0, 50, 0, 0, 0, 0, 0, 0, 50000, 0, 0, 0, 0, 0, 0, 0, 49950, 1, 50, 3);
INSERT INTO `daily_sums` VALUES ('2026-11-24', 1, 'EUR', 0, 35, 35, 0, 0, 1, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -100, 1, 0, 0);
CREATE TABLE `daily_totals` (
  `day` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `currency` varbinary(8) NOT NULL,
  `test` tinyint(4) NOT NULL,
  `bets` bigint(20) NOT NULL,
  `stake_minor` bigint(20) NOT NULL,
  `stake_reversed_minor` bigint(20) NOT NULL,
  `win_minor` bigint(20) NOT NULL,
  `win_reversed_minor` bigint(20) NOT NULL,
  `spins` bigint(20) NOT NULL,
  `spin_stake_minor` bigint(20) NOT NULL,
  `spin_win_minor` bigint(20) NOT NULL,
  `spin_win_reversed_minor` bigint(20) NOT NULL,
  `reversals` bigint(20) NOT NULL,
  `opening_minor` bigint(20) NOT NULL,
  `credit_minor` bigint(20) NOT NULL,
  `debit_minor` bigint(20) NOT NULL,
  `corrections` bigint(20) NOT NULL,
  `deposit_minor` bigint(20) NOT NULL,
  `requested_minor` bigint(20) NOT NULL,
  `returned_minor` bigint(20) NOT NULL,
  `paid_minor` bigint(20) NOT NULL,
  `moved_minor` bigint(20) NOT NULL,
  `players` bigint(20) NOT NULL,
  PRIMARY KEY (`day`,`currency`,`test`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `daily_totals` VALUES ('2026-11-23', 'EUR', 0, 7, 3750, 1150, 2740, 940, 2, 40, 0, 0, 5, 150000, 300, 100, 2, 5000, 9400, 3200, 3100, 148200, 2);
INSERT INTO `daily_totals` VALUES ('2026-11-23', 'EUR', 1, 1, 100, 0, 50, 0, 0, 0, 0, 0, 0, 50000, 0, 0, 0, 0, 0, 0, 0, 49950, 1);
INSERT INTO `daily_totals` VALUES ('2026-11-23', 'TRY', 0, 1, 2000, 0, 90000, 0, 0, 0, 0, 0, 0, 400000, 0, 0, 0, 0, 0, 0, 0, 488000, 1);
INSERT INTO `daily_totals` VALUES ('2026-11-24', 'EUR', 0, 1, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -100, 1);
CREATE TABLE `day_signatures` (
  `day` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `role` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `signed_by` varchar(255) NOT NULL,
  `at_us` bigint(20) NOT NULL,
  `note` text NOT NULL,
  `digest` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `checkpoint` bigint(20) NOT NULL,
  `verification` bigint(20) NOT NULL,
  `statements` text NOT NULL,
  `open_cases` bigint(20) NOT NULL,
  `unknown_grants` bigint(20) NOT NULL,
  `faults` bigint(20) NOT NULL,
  PRIMARY KEY (`day`,`role`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `day_signatures` VALUES ('2026-11-23', 'compliance', 'chloe', 1795500360000000, 'Compared with the platform’s figures.', '88574f7445c30aab21c3a817dc93b2a5b4623789c6fbcd86d6acf98daffee96c', 0, 0, '[{"statement":1,"run":1,"differences":13,"not_compared":0,"whole":false}]', 30, 1, 0);
INSERT INTO `day_signatures` VALUES ('2026-11-23', 'finance', 'mira', 1795500300000000, 'Compared with the platform’s figures.', '88574f7445c30aab21c3a817dc93b2a5b4623789c6fbcd86d6acf98daffee96c', 0, 0, '[{"statement":1,"run":1,"differences":13,"not_compared":0,"whole":false}]', 30, 1, 0);
CREATE TABLE `declined_texts` (
  `digest` binary(16) NOT NULL,
  `kind` tinyint(4) NOT NULL,
  `user_length` smallint(6) NOT NULL,
  `transaction_length` smallint(6) NOT NULL,
  `at_us` bigint(20) NOT NULL,
  PRIMARY KEY (`digest`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `declined_texts` VALUES (X'24f11afa193262b7915dc498784be711', 1, 6, 5, 1795426680000000);
INSERT INTO `declined_texts` VALUES (X'46130922d06e812f9ee1da87220ae639', 1, 4, 5, 1795426560000000);
INSERT INTO `declined_texts` VALUES (X'6d5cb7ce5e3a258e2bb8f295cdef21c9', 1, 4, 5, 1795426500000000);
INSERT INTO `declined_texts` VALUES (X'b8c0096e6b5a0d1ca13738ae8a6cfad4', 1, 4, 5, 1795426380000000);
CREATE TABLE `event_order` (
  `number` bigint(20) NOT NULL,
  `ledger` tinyint(4) NOT NULL,
  `player_id` bigint(20) NOT NULL,
  `from_seq` bigint(20) NOT NULL,
  `to_seq` bigint(20) NOT NULL,
  `mark` bigint(20) NOT NULL,
  PRIMARY KEY (`number`),
  KEY `event_order_reached` (`player_id`,`ledger`,`to_seq`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `event_order` VALUES (1, 1, 0, 1, 150, 1);
INSERT INTO `event_order` VALUES (2, 2, 1, 1, 35, 2);
INSERT INTO `event_order` VALUES (3, 3, 1, 1, 3, 3);
INSERT INTO `event_order` VALUES (4, 2, 2, 1, 3, 4);
INSERT INTO `event_order` VALUES (5, 3, 2, 1, 1, 5);
INSERT INTO `event_order` VALUES (6, 2, 3, 1, 1, 6);
INSERT INTO `event_order` VALUES (7, 2, 4, 1, 3, 7);
INSERT INTO `event_order` VALUES (8, 2, 5, 1, 3, 8);
INSERT INTO `event_order` VALUES (9, 1, 0, 151, 152, 9);
INSERT INTO `event_order` VALUES (10, 1, 0, 153, 154, 10);
INSERT INTO `event_order` VALUES (11, 1, 0, 155, 155, 11);
CREATE TABLE `file_chunks` (
  `file_id` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `number` bigint(20) NOT NULL,
  `content` mediumblob NOT NULL,
  PRIMARY KEY (`file_id`,`number`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `file_chunks` VALUES ('20261123T113900-6TZ5M2OSGAYO3U65YPOBL2AW6X', 0, X'5ccbb10ac2301006e03dcfd2423208c23ff7050a9de5126f08ea45727f287d7b519c3a7f7cec622e85b5d9addec1e3ad90571b463885c3315cfb97cae85dad1c212be784ac448a538c680f889960d9d6b0579b13f66ab84e277a36e76f5dfe296b27966d0d9f000000ffff');
CREATE TABLE `game_changes` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `at_us` bigint(20) NOT NULL,
  `sync_id` bigint(20) NOT NULL,
  `game` bigint(20) NOT NULL,
  `kind` tinyint(4) NOT NULL,
  `name` varchar(255) NOT NULL,
  `former_name` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `game_changes_at` (`at_us`),
  KEY `game_changes_game` (`game`,`at_us`),
  KEY `game_changes_kind` (`kind`,`at_us`)
) ENGINE=InnoDB AUTO_INCREMENT=6 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `game_changes` VALUES (1, 1795425420000000, 1, 1, 1, 'Ancient Bells', '');
INSERT INTO `game_changes` VALUES (2, 1795425420000000, 1, 2, 1, 'Tides', '');
INSERT INTO `game_changes` VALUES (3, 1795425420000000, 1, 3, 1, 'Embers', '');
INSERT INTO `game_changes` VALUES (4, 1795425480000000, 2, 2, 4, 'Lucky Tides', 'Tides');
INSERT INTO `game_changes` VALUES (5, 1795425480000000, 2, 3, 2, 'Embers', '');
CREATE TABLE `game_sessions` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `at_us` bigint(20) NOT NULL,
  `actor` varchar(255) NOT NULL,
  `player_id` bigint(20) NOT NULL,
  `game_id` bigint(20) NOT NULL,
  `language` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `currency` varbinary(8) NOT NULL,
  `reason` text NOT NULL,
  `state` tinyint(4) NOT NULL,
  `failure` text NOT NULL,
  `latency_us` bigint(20) NOT NULL,
  `game_url` text NOT NULL,
  `launch` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
  `answer_raw` text NOT NULL,
  PRIMARY KEY (`id`),
  KEY `game_sessions_at` (`at_us`),
  KEY `game_sessions_player` (`player_id`,`at_us`),
  KEY `game_sessions_game` (`game_id`,`at_us`),
  KEY `game_sessions_actor` (`actor`,`at_us`),
  KEY `game_sessions_state` (`state`,`at_us`),
  KEY `game_sessions_launch` (`launch`)
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `game_sessions` VALUES (1, 1795429500000000, 'sofia', 5, 1, 'de', '', 'The reels froze', 2, '', 0, '', '', '');
CREATE TABLE `game_syncs` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `at_us` bigint(20) NOT NULL,
  `actor` varchar(255) NOT NULL,
  `latency_us` bigint(20) NOT NULL,
  `offered` bigint(20) NOT NULL,
  `unusable` bigint(20) NOT NULL,
  `added` bigint(20) NOT NULL,
  `renamed` bigint(20) NOT NULL,
  `changed` bigint(20) NOT NULL,
  `gone` bigint(20) NOT NULL,
  `returned` bigint(20) NOT NULL,
  `error` text NOT NULL,
  PRIMARY KEY (`id`),
  KEY `game_syncs_at` (`at_us`)
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `game_syncs` VALUES (1, 1795425420000000, 'ada', 0, 3, 0, 3, 0, 0, 0, 0, '');
INSERT INTO `game_syncs` VALUES (2, 1795425480000000, 'ada', 0, 2, 0, 0, 1, 1, 1, 0, '');
CREATE TABLE `games` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `game_id` varbinary(255) NOT NULL,
  `name` varchar(255) NOT NULL,
  `type` varchar(255) NOT NULL,
  `provider` varchar(255) NOT NULL,
  `thumbnail` varchar(1024) NOT NULL,
  `former_name` varchar(255) NOT NULL,
  `search` varbinary(2400) NOT NULL,
  `added_at_us` bigint(20) NOT NULL,
  `seen_at_us` bigint(20) NOT NULL,
  `gone_at_us` bigint(20) NOT NULL,
  `added_sync` bigint(20) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `games_game_id` (`game_id`),
  KEY `games_search` (`search`),
  KEY `games_provider` (`provider`),
  KEY `games_type` (`type`)
) ENGINE=InnoDB AUTO_INCREMENT=5 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `games` VALUES (1, 'g1', 'Ancient Bells', 'slot', 'Lumen', 'https://games.example/g1.png', '', X'616e6369656e742062656c6c730a67310a6c756d656e', 1795425420000000, 1795425480000000, 0, 1);
INSERT INTO `games` VALUES (2, 'g2', 'Lucky Tides', 'slot', 'Lumen', '', 'Tides', X'6c75636b792074696465730a67320a6c756d656e', 1795425420000000, 1795425480000000, 0, 1);
INSERT INTO `games` VALUES (3, 'g3', 'Embers', 'roulette', 'Castor', '', '', X'656d626572730a67330a636173746f72', 1795425420000000, 1795425420000000, 1795425480000000, 1);
CREATE TABLE `goose_db_version` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `version_id` bigint(20) NOT NULL,
  `is_applied` tinyint(1) NOT NULL,
  `tstamp` datetime DEFAULT current_timestamp(),
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=11 DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
INSERT INTO `goose_db_version` VALUES (1, 0, 1, '2026-11-23 09:00:00');
INSERT INTO `goose_db_version` VALUES (2, 1, 1, '2026-11-23 09:00:00');
INSERT INTO `goose_db_version` VALUES (3, 2, 1, '2026-11-23 09:00:00');
INSERT INTO `goose_db_version` VALUES (4, 3, 1, '2026-11-23 09:00:00');
INSERT INTO `goose_db_version` VALUES (5, 4, 1, '2026-11-23 09:00:00');
INSERT INTO `goose_db_version` VALUES (6, 5, 1, '2026-11-23 09:00:00');
INSERT INTO `goose_db_version` VALUES (7, 6, 1, '2026-11-23 09:00:00');
INSERT INTO `goose_db_version` VALUES (8, 7, 1, '2026-11-23 09:00:00');
INSERT INTO `goose_db_version` VALUES (9, 8, 1, '2026-11-23 09:00:00');
INSERT INTO `goose_db_version` VALUES (10, 9, 1, '2026-11-23 09:00:00');
CREATE TABLE `grant_observations` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `grant_id` bigint(20) NOT NULL,
  `at_us` bigint(20) NOT NULL,
  `result` bigint(20) NOT NULL,
  `status` varchar(255) NOT NULL,
  `total` bigint(20) NOT NULL,
  `used` bigint(20) NOT NULL,
  `remaining` bigint(20) NOT NULL,
  `ours` bigint(20) NOT NULL,
  `answer_raw` text NOT NULL,
  PRIMARY KEY (`id`),
  KEY `grant_observations_grant` (`grant_id`,`at_us`)
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `grant_observations` VALUES (1, 1, 1795428000000000, 0, 'active', 3, 1, 2, 1, '{}');
CREATE TABLE `grants` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `at_us` bigint(20) NOT NULL,
  `actor` varchar(255) NOT NULL,
  `role` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `player_id` bigint(20) NOT NULL,
  `game_id` bigint(20) NOT NULL,
  `spins` bigint(20) NOT NULL,
  `reason` text NOT NULL,
  `again` tinyint(4) NOT NULL,
  `campaign_id` bigint(20) DEFAULT NULL,
  `campaign_line` bigint(20) DEFAULT NULL,
  `state` tinyint(4) NOT NULL,
  `free_spin_id` varbinary(255) DEFAULT NULL,
  `result` bigint(20) NOT NULL,
  `message` text NOT NULL,
  `latency_us` bigint(20) NOT NULL,
  `answer_raw` text NOT NULL,
  `sent_at_us` bigint(20) NOT NULL,
  `answered_at_us` bigint(20) NOT NULL,
  `finished_at_us` bigint(20) NOT NULL,
  `resolution` tinyint(4) NOT NULL,
  `resolved_by` varchar(255) NOT NULL,
  `resolved_at_us` bigint(20) NOT NULL,
  `resolution_note` text NOT NULL,
  `used` bigint(20) NOT NULL,
  `remaining` bigint(20) NOT NULL,
  `observed_at_us` bigint(20) NOT NULL,
  `next_poll_at_us` bigint(20) NOT NULL,
  `polls` bigint(20) NOT NULL,
  `poll_error` text NOT NULL,
  `ours` bigint(20) NOT NULL,
  `apart` bigint(20) NOT NULL,
  `compared_at_us` bigint(20) NOT NULL DEFAULT 0,
  `disowned_at_us` bigint(20) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `grants_free_spin_id` (`free_spin_id`),
  UNIQUE KEY `grants_import` (`campaign_id`,`campaign_line`),
  KEY `grants_at` (`at_us`),
  KEY `grants_player` (`player_id`,`at_us`),
  KEY `grants_game` (`game_id`,`at_us`),
  KEY `grants_state` (`state`,`at_us`),
  KEY `grants_list_actor` (`actor`,`at_us`),
  KEY `grants_list_campaign` (`campaign_id`,`at_us`),
  KEY `grants_next_poll` (`next_poll_at_us`),
  KEY `grants_apart` (`apart`),
  KEY `grants_limits` (`at_us`,`state`,`spins`,`player_id`),
  KEY `grants_actor` (`actor`,`at_us`,`state`,`spins`),
  KEY `grants_disowned` (`disowned_at_us`)
) ENGINE=InnoDB AUTO_INCREMENT=7 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `grants` VALUES (1, 1795427400000000, 'bruno', 'bonus', 1, 1, 3, 'Goodwill', 1, NULL, NULL, 3, 'fs-1', 0, '', 0, '{"result":0}', 1795427400000000, 1795427460000000, 0, 0, '', 0, '', 1, 2, 1795428000000000, 1795428120000000, 1, '', 1, 0, 1795428000000000, 0);
INSERT INTO `grants` VALUES (2, 1795428060000000, 'bruno', 'bonus', 2, 1, 2, 'Goodwill', 1, NULL, NULL, 6, NULL, 2, 'refused with result 2, no such game', 0, '', 1795428060000000, 1795428120000000, 1795428120000000, 0, '', 0, '', -1, -1, 0, 0, 0, '', 0, 0, 0, 0);
INSERT INTO `grants` VALUES (3, 1795428180000000, 'bruno', 'bonus', 2, 1, 1, 'Goodwill', 1, NULL, NULL, 3, 'fs-found', -1, 'The platform answered with HTTP status 500.', 0, '', 1795428180000000, 1795428240000000, 0, 1, 'bruno', 1795428300000000, 'The platform has it.', -1, -1, 0, 1795428300000000, 0, '', 0, 0, 0, 0);
INSERT INTO `grants` VALUES (4, 1795428360000000, 'bruno', 'bonus', 3, 1, 1, 'Goodwill', 1, NULL, NULL, 7, NULL, -1, 'The platform answered with HTTP status 500.', 0, '', 1795428360000000, 1795428420000000, 0, 0, '', 0, '', -1, -1, 0, 0, 0, '', 0, 0, 0, 0);
INSERT INTO `grants` VALUES (5, 1795428540000000, 'bruno', 'bonus', 1, 2, 2, 'Loyalty', 1, 1, 1, 3, 'fs-anna', 0, '', 0, '{"result":0}', 1795428540000000, 1795428600000000, 0, 0, '', 0, '', -1, -1, 0, 1795428660000000, 0, '', 0, 0, 0, 0);
INSERT INTO `grants` VALUES (6, 1795428660000000, 'bruno', 'bonus', 2, 2, 2, 'Loyalty', 1, 1, 2, 3, 'fs-bert', 0, '', 0, '{"result":0}', 1795428660000000, 1795428720000000, 0, 0, '', 0, '', -1, -1, 0, 1795428780000000, 0, '', 0, 0, 0, 0);
CREATE TABLE `leases` (
  `name` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `holder` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `until_us` bigint(20) NOT NULL,
  `position` bigint(20) NOT NULL,
  `mac` varbinary(32) NOT NULL DEFAULT '',
  `turns` bigint(20) NOT NULL DEFAULT 0,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `leases` VALUES ('campaigns', '', 0, 0, '', 5);
INSERT INTO `leases` VALUES ('case rule 1', '', 0, 1795586400000000, X'bfc2fce83c3e33199d61cd5b9d6ca9616861ab4ee1232dbff9683312e579705c', 0);
INSERT INTO `leases` VALUES ('case rule 10', '', 0, 1795586458000000, X'3af496c0185d962f772728721f418709e538f5c5661f99acd194a13efd6dc151', 0);
INSERT INTO `leases` VALUES ('case rule 13', '', 0, 1795586458000000, X'ed98304a147728e472ea32e2ac698ca8e2e4be0f917d77a184616b1151265ee5', 0);
INSERT INTO `leases` VALUES ('case rule 2', '', 0, 1795586458000000, X'f126944f32ed3be4b72d662a698b7b9006331df77907a6c7485151202d33873a', 0);
INSERT INTO `leases` VALUES ('case rule 20', '', 0, 1795586160000000, X'973b251606b89549329e2738de7544d0d148554b20a6fe09b36efa66e09ef8f7', 0);
INSERT INTO `leases` VALUES ('case rule 22', '', 0, 1795327260000000, X'b39f47a95446f27040f5b91245dd47d9f4e3bde7c4ab9f38fd5b829df36f45ce', 0);
INSERT INTO `leases` VALUES ('case rule 24', '', 0, 1795585560000000, X'3aacfd91844e052026af50f5d619afe082d805cee74d650c9393c3f9bcbfd1bd', 0);
INSERT INTO `leases` VALUES ('case rule 3', '', 0, 1795586458000000, X'f55e2f7a7918969717f07693b6ef01f330dffb606f740989317848699e382889', 0);
INSERT INTO `leases` VALUES ('case rule 4', '', 0, 1795586458000000, X'3bb042c4cd92759b77f19ddfb4709c315b8221cfe441dbbcf0ede5bccff73e23', 0);
INSERT INTO `leases` VALUES ('case rule 5', '', 0, 1795586400000000, X'18bc1b733c2e40faf4c3fb360eedb03b9bb7d411239264b4b04ee512fac5a615', 0);
INSERT INTO `leases` VALUES ('case rule 5, bets rolled back', '', 0, 1795586400000000, X'c8c0c348528824c65222d0b2ac4c9cbfa8bf4c5e490f70cc93106498241ca8fc', 0);
INSERT INTO `leases` VALUES ('case rule 6', '', 0, 1795586458000000, X'3553732fb33cadd98e17457b92ca93964bc6db99cc76db2fe92c89cbe757a5f5', 0);
INSERT INTO `leases` VALUES ('case rule 6, stakes', '', 0, 1795586458000000, X'5504d2822888ba0b1206607b91e0563ef9b3107cb5044a3ef1b5e275b9134811', 0);
INSERT INTO `leases` VALUES ('case rules, ledger', '', 0, 46, X'5cb45334554714fa7273f929db1e78e4ecf4a8e35356b08f6c9fb58d1d48b7ed', 0);
INSERT INTO `leases` VALUES ('change requests', '', 0, 0, '', 12);
INSERT INTO `leases` VALUES ('free spins', '', 0, 1795500060000000, X'b533bf365e808582076441fccc35a882d226351afb08667e4d880cb29a0e1809', 0);
INSERT INTO `leases` VALUES ('games', '', 0, 0, '', 1);
INSERT INTO `leases` VALUES ('grants', '', 0, 0, '', 5);
INSERT INTO `leases` VALUES ('notices follow the audit log', '', 0, 163, X'b739e4bd0de56c3eb5a1a35789e0db5519dba0b583133dfab5aea28aad8e9a2b', 0);
INSERT INTO `leases` VALUES ('program runs', '', 0, 0, '', 0);
INSERT INTO `leases` VALUES ('restrictions', '', 0, 0, '', 6);
INSERT INTO `leases` VALUES ('settings', '', 0, 0, '', 3);
INSERT INTO `leases` VALUES ('sums of days', '', 0, 1795586400000000, X'262d8b63191e3be08c246c5349c9f75abbd8fd92a9155a1a04dbf210185f7315', 6);
CREATE TABLE `ledgers` (
  `id` tinyint(4) NOT NULL,
  `key_fingerprint` varbinary(64) NOT NULL,
  `begun_at_us` bigint(20) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `ledgers` VALUES (1, '50015e51341b6daa', 1795424400000000);
CREATE TABLE `migration_lock` (
  `lock_id` bigint(20) NOT NULL,
  `locked` tinyint(1) NOT NULL DEFAULT 0,
  `locked_at` datetime(6) DEFAULT NULL,
  `locked_by` text DEFAULT NULL,
  `lease_expires_at` datetime(6) DEFAULT NULL,
  `updated_at` datetime(6) DEFAULT NULL,
  PRIMARY KEY (`lock_id`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
INSERT INTO `migration_lock` VALUES (4097083626, 0, NULL, NULL, NULL, '2026-11-23 09:00:00.000000');
CREATE TABLE `money_minutes` (
  `minute_us` bigint(20) NOT NULL,
  `currency` varbinary(8) NOT NULL,
  `test` tinyint(4) NOT NULL,
  `day` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `bets` bigint(20) NOT NULL,
  `stake_minor` bigint(20) NOT NULL,
  `stake_reversed_minor` bigint(20) NOT NULL,
  `win_minor` bigint(20) NOT NULL,
  `win_reversed_minor` bigint(20) NOT NULL,
  `spins` bigint(20) NOT NULL,
  `spin_stake_minor` bigint(20) NOT NULL,
  `spin_win_minor` bigint(20) NOT NULL,
  `spin_win_reversed_minor` bigint(20) NOT NULL,
  PRIMARY KEY (`minute_us`,`currency`,`test`,`day`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `money_minutes` VALUES (1795425960000000, 'EUR', 0, '2026-11-23', 1, 1000, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795426020000000, 'EUR', 0, '2026-11-23', 0, 0, 0, 700, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795426080000000, 'EUR', 0, '2026-11-23', 1, 500, 0, 900, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795426140000000, 'EUR', 0, '2026-11-23', 1, 250, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795426200000000, 'EUR', 0, '2026-11-23', 0, 0, 250, 0, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795426260000000, 'EUR', 0, '2026-11-23', 0, 0, 500, 0, 900, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795426620000000, 'EUR', 0, '2026-11-23', 0, 0, 0, 50, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795426740000000, 'EUR', 0, '2026-11-23', 0, 0, 0, 40, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795426800000000, 'EUR', 0, '2026-11-23', 0, 0, 0, 0, 40, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795426860000000, 'EUR', 0, '2026-11-23', 1, 300, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795426920000000, 'TRY', 0, '2026-11-23', 1, 2000, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795426980000000, 'TRY', 0, '2026-11-23', 0, 0, 0, 90000, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795427040000000, 'EUR', 1, '2026-11-23', 1, 100, 0, 50, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795427100000000, 'EUR', 0, '2026-11-23', 1, 400, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795427160000000, 'EUR', 0, '2026-11-23', 1, 600, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795427220000000, 'EUR', 0, '2026-11-23', 1, 700, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795427520000000, 'EUR', 0, '2026-11-23', 0, 0, 0, 0, 0, 1, 20, 0, 0);
INSERT INTO `money_minutes` VALUES (1795427580000000, 'EUR', 0, '2026-11-23', 0, 0, 0, 150, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795427640000000, 'EUR', 0, '2026-11-23', 0, 0, 0, 0, 0, 1, 20, 0, 0);
INSERT INTO `money_minutes` VALUES (1795427700000000, 'EUR', 0, '2026-11-23', 0, 0, 0, 0, 0, -1, -20, 0, 0);
INSERT INTO `money_minutes` VALUES (1795427760000000, 'EUR', 0, '2026-11-23', 0, 0, 0, 0, 0, 1, 20, 0, 0);
INSERT INTO `money_minutes` VALUES (1795431660000000, 'EUR', 0, '2026-11-23', 0, 0, 400, 0, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795431780000000, 'EUR', 0, '2026-11-23', 0, 0, 0, 900, 0, 0, 0, 0, 0);
INSERT INTO `money_minutes` VALUES (1795500000000000, 'EUR', 0, '2026-11-24', 1, 100, 0, 0, 0, 0, 0, 0, 0);
CREATE TABLE `notices` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `at_us` bigint(20) NOT NULL,
  `event_id` bigint(20) NOT NULL,
  `kind` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `object_id` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `channel` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `client_id` bigint(20) NOT NULL DEFAULT 0,
  `state` tinyint(4) NOT NULL,
  `tries` int(11) NOT NULL,
  `next_us` bigint(20) NOT NULL,
  `sent_at_us` bigint(20) NOT NULL,
  `error` text NOT NULL,
  `detail` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
  `occasions` bigint(20) NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`),
  UNIQUE KEY `notices_event` (`event_id`,`channel`,`client_id`),
  KEY `notices_at` (`at_us`),
  KEY `notices_client` (`client_id`,`at_us`),
  KEY `notices_state` (`client_id`,`state`,`at_us`),
  KEY `notices_due` (`state`,`next_us`)
) ENGINE=InnoDB AUTO_INCREMENT=9 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `notices` VALUES (1, 1795586460000000, 156, 'case', '34', 'e-mail', 0, 1, 0, 1795586520000000, 0, '', 'rollback of an unknown transaction', 1);
INSERT INTO `notices` VALUES (2, 1795586460000000, 157, 'case', '35', 'e-mail', 0, 1, 0, 1795586520000000, 0, '', 'transaction ID reused with different details', 1);
INSERT INTO `notices` VALUES (3, 1795586460000000, 158, 'case', '36', 'e-mail', 0, 1, 0, 1795586520000000, 0, '', 'win without a bet', 1);
INSERT INTO `notices` VALUES (4, 1795586460000000, 159, 'case', '37', 'e-mail', 0, 1, 0, 1795586520000000, 0, '', 'win without a bet', 1);
INSERT INTO `notices` VALUES (5, 1795586460000000, 160, 'case', '38', 'e-mail', 0, 1, 0, 1795586520000000, 0, '', 'win without a bet', 1);
INSERT INTO `notices` VALUES (6, 1795586460000000, 161, 'case', '39', 'e-mail', 0, 1, 0, 1795586520000000, 0, '', 'win without a bet', 1);
INSERT INTO `notices` VALUES (7, 1795586460000000, 162, 'case', '40', 'e-mail', 0, 1, 0, 1795586520000000, 0, '', 'free spin without a grant', 1);
INSERT INTO `notices` VALUES (8, 1795586460000000, 163, 'case', '41', 'e-mail', 0, 1, 0, 1795586520000000, 0, '', 'unconfirmed grant', 1);
CREATE TABLE `players` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `user_id` varbinary(255) NOT NULL,
  `test` tinyint(4) NOT NULL DEFAULT 0,
  `created_at_us` bigint(20) NOT NULL,
  `zone` varchar(64) NOT NULL,
  `language` varchar(8) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`),
  UNIQUE KEY `players_user_id` (`user_id`),
  KEY `players_test` (`test`,`user_id`)
) ENGINE=InnoDB AUTO_INCREMENT=6 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `players` VALUES (1, 'anna', 0, 1795425540000000, 'Europe/Vienna', 'de');
INSERT INTO `players` VALUES (2, 'bert', 0, 1795425600000000, '', '');
INSERT INTO `players` VALUES (3, 'carl', 0, 1795425660000000, '', '');
INSERT INTO `players` VALUES (4, 'deniz', 0, 1795425720000000, 'Europe/Istanbul', '');
INSERT INTO `players` VALUES (5, 'test-eur', 1, 1795425780000000, '', '');
CREATE TABLE `postings` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `source` tinyint(4) NOT NULL,
  `transaction_id` varbinary(255) NOT NULL,
  `claim` tinyint(4) DEFAULT NULL,
  `player_id` int(11) NOT NULL,
  `seq` int(11) NOT NULL,
  `kind` tinyint(4) NOT NULL,
  `round_id` varbinary(255) NOT NULL,
  `bet_minor` bigint(20) NOT NULL,
  `win_minor` bigint(20) NOT NULL,
  `free_spin` tinyint(4) NOT NULL,
  `after_minor` bigint(20) NOT NULL,
  `at_us` bigint(20) NOT NULL,
  `hash` binary(32) NOT NULL,
  `held_minor` bigint(20) DEFAULT NULL,
  `request` bigint(20) DEFAULT NULL,
  `received_us` bigint(20) DEFAULT NULL,
  `address` varbinary(16) DEFAULT NULL,
  `signed_digest` binary(16) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `postings_key` (`source`,`transaction_id`,`claim`),
  UNIQUE KEY `postings_signed` (`signed_digest`),
  KEY `postings_player` (`player_id`,`seq`),
  KEY `postings_round` (`round_id`),
  KEY `postings_at` (`at_us`),
  KEY `postings_class` (`claim`,`kind`,`free_spin`)
) ENGINE=InnoDB AUTO_INCREMENT=47 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `postings` VALUES (1, 2, 'opening:1', 1, 1, 1, 5, '', 0, 100000, 0, 100000, 1795425540000000, X'3b330477174d4f2cdaa7a7efa1528b3be88b706fc20bd098b78162764f51bc13', NULL, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (2, 2, 'opening:2', 1, 2, 1, 5, '', 0, 50000, 0, 50000, 1795425600000000, X'c9962cd0f152a4d99a6a973c67616cb2c43085d7f54b4f90896b3395f18a68b0', NULL, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (3, 2, 'opening:3', 1, 3, 1, 5, '', 0, 0, 0, 0, 1795425660000000, X'2d7321a290fc1e564451e8ffe377f8de7ada728028d962dd3a32a67f75301e2b', NULL, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (4, 2, 'opening:4', 1, 4, 1, 5, '', 0, 400000, 0, 400000, 1795425720000000, X'81a00a5c65632073f6415251dec101a35b272aba17a5854877f9f1407ee03d81', NULL, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (5, 2, 'opening:5', 1, 5, 1, 5, '', 0, 50000, 0, 50000, 1795425780000000, X'a3764a04f29c3c1404ef60df1468e5c567c85794e415abb402e5aea14c88aae8', NULL, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (6, 1, 'bet-1', 1, 1, 2, 1, 'r-bet-1', 1000, 0, 0, 99000, 1795425960000000, X'ac3b6482da1b0ab5e2ed55670bb0bbcfd546a1f8a04ec65020ba377390b192d8', NULL, 4294967297, 1795425960000000, X'cb007107', X'4c3d5894012f0022fa6e7515c02f9bbe');
INSERT INTO `postings` VALUES (7, 1, 'win-1', 1, 1, 3, 2, 'r-win-1', 0, 700, 0, 99700, 1795426020000000, X'821649a426d8d91893c5096490feb6627096088b494cb984648c1bd45d6aeaa8', NULL, 4294967298, 1795426020000000, X'cb007107', X'a6492ffe12300e873263a2a042c9acfc');
INSERT INTO `postings` VALUES (8, 1, 'both-1', 1, 1, 5, 3, 'r-both-1', 500, 900, 0, 100100, 1795426080000000, X'a66b9fe0c1ca8ffb9b58a1c2c65f3b3efd5be1d49c47b6cdbcf07cb5bbccadce', NULL, 4294967299, 1795426080000000, X'cb007107', X'cc4400d239e6e4f8c04723ad8c24fa8c');
INSERT INTO `postings` VALUES (9, 1, 'bet-2', 1, 1, 6, 1, 'r-bet-2', 250, 0, 0, 99850, 1795426140000000, X'f532642e51deb311167294439e271c11114e495ae5bbd46b1786ffef1f8f7406', NULL, 4294967300, 1795426140000000, X'cb007107', X'98ecdd5db73561dd529ee778b2b913b1');
INSERT INTO `postings` VALUES (10, 1, 'bet-2', 2, 1, 7, 1, 'r-bet-2', 250, 0, 0, 100100, 1795426200000000, X'c162b53ff2919969059ebb9946cfcdf292dedc9736b75e9a0726decd43cff1f4', NULL, 4294967301, 1795426200000000, X'cb007107', X'a92e0831f61ec607b4d99c6f75684afa');
INSERT INTO `postings` VALUES (11, 1, 'both-1', 2, 1, 9, 3, 'r-both-1', 500, 900, 0, 99700, 1795426260000000, X'3bb2db52d4c263d40e7e9796fe7adac3d9ac81116322f724b072ca16bcbb3763', NULL, 4294967302, 1795426260000000, X'cb007107', X'723f858e341824ecb6d9ff96b5e3d823');
INSERT INTO `postings` VALUES (12, 1, 'early', NULL, 1, 10, 4, '', 0, 0, 0, 99700, 1795426320000000, X'18678289c0b9890e055e467448e1c7ec9042578adf6eaa3ff5a6f765bc7e1fb5', NULL, 4294967303, 1795426320000000, X'cb007107', X'9aec9c299f7ff2ecad552eec31f57e64');
INSERT INTO `postings` VALUES (13, 1, 'alone', 1, 1, 11, 2, 'r-alone', 0, 50, 0, 99750, 1795426620000000, X'3f8b59749efb5d47fc09aa76620147c86e2148de12104772003c0670f044507f', NULL, 4294967308, 1795426620000000, X'cb007107', X'14755f1f32ef8459f5aac2ba85ecef13');
INSERT INTO `postings` VALUES (14, 1, 'win-2', 1, 1, 12, 2, 'r-win-2', 0, 40, 0, 99790, 1795426740000000, X'bc7d0dad4e1810f881f64480da67b70b9389064f324f84768f48bc9e483641b2', NULL, 4294967310, 1795426740000000, X'cb007107', X'73d382dea8ca167dfe60dcd4073175a8');
INSERT INTO `postings` VALUES (15, 1, 'win-2', 2, 1, 13, 2, 'r-win-2', 0, 40, 0, 99750, 1795426800000000, X'161e3623f7b37c07187a47da9d2dd29d088530f9735571e56e232ccd0b90206b', NULL, 4294967311, 1795426800000000, X'cb007107', X'3d91a5bd67e78e21a1303799b2f392b4');
INSERT INTO `postings` VALUES (16, 1, 'bet-5', 1, 2, 2, 1, 'r-bet-5', 300, 0, 0, 49700, 1795426860000000, X'e01504b2cb7a4a3825489c99813c80ac882d928640b33668e2fda8f901869f71', NULL, 4294967312, 1795426860000000, X'cb007107', X'631bfb7eecdf0d5e449ba6e99fafc9ae');
INSERT INTO `postings` VALUES (17, 1, 'bet-6', 1, 4, 2, 1, 'r-bet-6', 2000, 0, 0, 398000, 1795426920000000, X'00acc4681c15226da04c2dcef566b1838fe42f0ffe68443b8472e761650eccbd', NULL, 4294967313, 1795426920000000, X'cb007107', X'8449c729dec01eb80cef7fbb7a4a7bf2');
INSERT INTO `postings` VALUES (18, 1, 'win-6', 1, 4, 3, 2, 'r-win-6', 0, 90000, 0, 488000, 1795426980000000, X'524bdda18cee1bcb4084fb9bad310b98804dd39e6f1c1a42f63c328e2c6b3e92', NULL, 4294967314, 1795426980000000, X'cb007107', X'9f81888d9d37a1f00145016df81ea6e9');
INSERT INTO `postings` VALUES (19, 1, 'both-7', 1, 5, 3, 3, 'r-both-7', 100, 50, 0, 49950, 1795427040000000, X'6bffd0aae2e1628de88e687d34d860976df3716850faa9d800f03282a0e35c9a', NULL, 4294967315, 1795427040000000, X'cb007107', X'dd6226b0acefaf8db8b43b80fc63c1c7');
INSERT INTO `postings` VALUES (20, 1, 'bet-8', 1, 1, 14, 1, 'r-bet-8', 400, 0, 0, 99350, 1795427100000000, X'e048b87a5fc5aecf1fb1e921785161c53886881d63dbd64196da8b90e1051c6e', NULL, 4294967316, 1795427100000000, X'cb007107', X'674a24da7ee62a1df7f5b0fc01a1694e');
INSERT INTO `postings` VALUES (21, 1, 'bet-9', 1, 1, 15, 1, 'r-bet-9', 600, 0, 0, 98750, 1795427160000000, X'355372cdea9cfdefe460307519581c9933494835c8cddc68181efecd03599b67', NULL, 4294967317, 1795427160000000, X'cb007107', X'edded6d163839d82778e72f9acc7bc69');
INSERT INTO `postings` VALUES (22, 1, 'void', 1, 2, 3, 1, 'r-void', 700, 0, 0, 49000, 1795427220000000, X'cb8830bdaaacc1e3e0160a7c6a9ac366f2b50090217c0b67a9a6086fd0f0bc53', NULL, 4294967318, 1795427220000000, X'cb007107', X'c9188ad9f7b32db87c261a481f7158d4');
INSERT INTO `postings` VALUES (23, 1, 'spin-1', 1, 1, 15, 1, 'r-spin-1', 20, 0, 1, 98750, 1795427520000000, X'bdb368d99d77113b0ca03653f6844d17c92b52decb4c18d493a121bad0d360dc', NULL, 4294967319, 1795427520000000, X'cb007107', X'39708a1d18fa5d82924822c70c9bbc45');
INSERT INTO `postings` VALUES (24, 1, 'spin-1-win', 1, 1, 16, 2, 'r-spin-1-win', 0, 150, 0, 98900, 1795427580000000, X'a2b7876068fe8d5fe281df52efbde927062d3aa816c0db94a4fc35e365f3a65e', NULL, 4294967320, 1795427580000000, X'cb007107', X'19d26da6bf9647bab7e2e02e6fe0ac86');
INSERT INTO `postings` VALUES (25, 1, 'spin-2', 1, 1, 16, 1, 'r-spin-2', 20, 0, 1, 98900, 1795427640000000, X'59442625037504de2066a0bd0efaa6c6c67167c16745680031cfc97e931999bb', NULL, 4294967321, 1795427640000000, X'cb007107', X'9aa28064599545a75de71f9cfb9f6ef2');
INSERT INTO `postings` VALUES (26, 1, 'spin-2', 2, 1, 16, 1, 'r-spin-2', 20, 0, 1, 98900, 1795427700000000, X'b57ae26dc9c99575b553c706e4edb7cf2c099341357f95590f114ca8eeff869d', NULL, 4294967322, 1795427700000000, X'cb007107', X'668098e5dc93059c00f560eb89285b03');
INSERT INTO `postings` VALUES (27, 1, 'spin-3', 1, 2, 3, 1, 'r-spin-3', 20, 0, 1, 49000, 1795427760000000, X'b2aa582233ef0d165535f1de3821655b6b11ec29fadf40149192b072c30694c3', NULL, 4294967323, 1795427760000000, X'cb007107', X'c467234e9ed7bf9a77c841b58143fa0f');
INSERT INTO `postings` VALUES (28, 3, 'deposit@1', 1, 1, 17, 7, '', 0, 5000, 0, 103900, 1795429800000000, X'52cc175dd26581e780961dba5bca3eedd1049576e71f79fd5b206f7855e51dbc', 0, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (29, 3, 'held@1', 1, 1, 18, 8, '', 100, 0, 0, 103800, 1795429860000000, X'5e293dea24f3fcf283fccc037322727c61f9a253e32d9e4179fb7072519953d4', 100, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (30, 3, 'paid@1', 1, 1, 19, 8, '', 100, 0, 0, 103700, 1795429920000000, X'698745e0343f39c140d458d72c98ed8edab115de988535b4b22d9c541c00f0fa', 200, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (31, 3, 'returned@1', 1, 1, 20, 8, '', 100, 0, 0, 103600, 1795429980000000, X'd2c9155863d942d9e55aae0529e958e7fbfa2042a7854dbd2a906143b2a1f81b', 300, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (32, 3, 'bounced@1', 1, 1, 21, 8, '', 100, 0, 0, 103500, 1795430040000000, X'08bfa21498ca605e75f45b238b075b1fbfa661287e8d3b1ff34b937221d74a38', 400, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (33, 3, 'paid@1', 2, 1, 22, 9, '', 100, 0, 0, 103500, 1795430100000000, X'4a12bbf66082b3326b0973d46c6dbd9702d5bae7893b6ef23ff6a591d7e226d4', 300, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (34, 3, 'returned@1', 2, 1, 23, 8, '', 100, 0, 0, 103600, 1795430160000000, X'f01d0599a3e8be3473300e1232487aeba0d4b168eb98621343a805aaa232f8d9', 200, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (35, 3, 'bounced@1', 2, 1, 24, 9, '', 100, 0, 0, 103600, 1795430220000000, X'4b1d9eeb3c217f878c3a5b2080f725e75a5bb589c75179ea6a701511afef2e03', 100, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (36, 3, 'bounced bounced@1', 1, 1, 25, 11, '', 0, 100, 0, 103700, 1795430280000000, X'28ba9042620165c6c0db2f922089b65a56dd8214943441461ee3602da797f29e', 100, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (37, 3, 'approved@1', 1, 1, 26, 8, '', 3000, 0, 0, 100700, 1795430340000000, X'c262838b6a2dce9ac35e511465a55f0a3c72dda53e8f00e7c687869c9ced5f02', 3100, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (38, 3, 'refused@1', 1, 1, 27, 8, '', 3000, 0, 0, 97700, 1795430460000000, X'1de2db5c680aa9f300b7507de50f45da2348f14adfd247527d785d8b11d81e9f', 6100, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (39, 3, 'refused@1', 2, 1, 28, 8, '', 3000, 0, 0, 100700, 1795430520000000, X'684e3d25b79f97fc3b0d380cf85fd7fec46d434d986f9d69f8c9f8bf57089774', 3100, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (40, 3, 'waiting@1', 1, 1, 29, 8, '', 3000, 0, 0, 97700, 1795430580000000, X'97875dc350d599e4b38161fd652671f1968a9888e68dde2d40403df119563852', 6100, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (41, 3, 'approved@1', 2, 1, 30, 9, '', 3000, 0, 0, 97700, 1795430640000000, X'013247322cbbdb33ed1b7b1c5330fe673bd47bebdb2c8c916ef00e77e2618948', 3100, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (42, 2, 'correction:1', 1, 1, 31, 6, '', 0, 300, 0, 98000, 1795431420000000, X'da342cf377f3ed03e4e3289861087bd386217c0ecfa87ad285142c9d0a2f277d', NULL, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (43, 2, 'correction:2', 1, 1, 32, 6, '', 100, 0, 0, 97900, 1795431540000000, X'c0be91f01cb5c6f18099e37204c3b4017327cac864ca1eb0745ab6f6d80ff3d2', NULL, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (44, 1, 'bet-8', 2, 1, 33, 1, 'r-bet-8', 400, 0, 0, 98300, 1795431660000000, X'a05b6fa999fd538367b54133a1986c40de643b37a9c468530641dd85b7a9f7bf', NULL, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (45, 1, 'bet-9-win', 1, 1, 34, 2, 'r-bet-9-win', 0, 900, 0, 99200, 1795431780000000, X'935406a736ae62f42c1fa673729fec0080c809a29017cca3515e8b3bbb7adfa4', NULL, NULL, NULL, NULL, NULL);
INSERT INTO `postings` VALUES (46, 1, 'bet-10', 1, 1, 35, 1, 'r-bet-10', 100, 0, 0, 99100, 1795500000000000, X'9290374d5bc0d1c5de311afdcef4a07d9bfb924bc6ac897ff8db6b8821294c8e', NULL, 4294967324, 1795500000000000, X'cb007107', X'a4f5a7a67b4c2b3ff7d59042c0fe52c4');
CREATE TABLE `program_runs` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `place` varchar(255) NOT NULL,
  `version` varchar(64) NOT NULL,
  `settings` text CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `schema_no` bigint(20) NOT NULL,
  `started_at_us` bigint(20) NOT NULL,
  `seen_at_us` bigint(20) NOT NULL,
  `ended_at_us` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `program_runs_ended` (`ended_at_us`,`seen_at_us`)
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `program_runs` VALUES (1, 'a host, callbacks 127.0.0.1:8081, back office 127.0.0.1:8080', '0.1.0', '{"PITBOSS_AGENT_ID":"1f3a"}', 9, 1795424880000000, 1795424880000000, 1795424880000000);
CREATE TABLE `restrictions` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `subject` tinyint(4) NOT NULL,
  `player_id` bigint(20) NOT NULL,
  `about` varbinary(1024) NOT NULL,
  `kind` tinyint(4) NOT NULL,
  `scope` tinyint(4) NOT NULL,
  `at_us` bigint(20) NOT NULL,
  `until_us` bigint(20) NOT NULL,
  `reason` text NOT NULL,
  `setter_id` bigint(20) NOT NULL,
  `setter` varchar(255) NOT NULL,
  `setter_role` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `end_reason` text NOT NULL,
  `maker_id` bigint(20) NOT NULL,
  `maker` varchar(255) NOT NULL,
  `maker_role` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `state` tinyint(4) NOT NULL,
  `checker_id` bigint(20) NOT NULL,
  `checker` varchar(255) NOT NULL,
  `checker_role` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `decided_at_us` bigint(20) NOT NULL,
  `decision_note` text NOT NULL,
  PRIMARY KEY (`id`),
  KEY `restrictions_player` (`player_id`,`at_us`,`id`),
  KEY `restrictions_subject` (`subject`,`state`,`at_us`,`id`),
  KEY `restrictions_state` (`state`,`at_us`,`id`),
  KEY `restrictions_maker` (`maker_id`,`at_us`,`id`),
  KEY `restrictions_at` (`at_us`,`id`)
) ENGINE=InnoDB AUTO_INCREMENT=5 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `restrictions` VALUES (1, 1, 3, '', 2, 3, 1795430760000000, 1795517160000000, 'Asked for it.', 0, 'api:cashier', '', '', 0, '', '', 0, 0, '', '', 0, '');
INSERT INTO `restrictions` VALUES (2, 1, 2, '', 5, 1, 1795430880000000, 253402214400000000, 'Asked us to.', 4, 'sofia', 'support', 'Asked again.', 4, 'sofia', 'support', 2, 7, 'chloe', 'compliance', 1795431000000000, '');
INSERT INTO `restrictions` VALUES (3, 1, 2, '', 5, 2, 1795431060000000, 253402214400000000, 'Asked us to.', 4, 'sofia', 'support', 'Asked again.', 4, 'sofia', 'support', 1, 0, '', '', 0, '');
INSERT INTO `restrictions` VALUES (4, 4, 0, 'g3', 5, 1, 1795431180000000, 253402214400000000, 'Asked us to.', 7, 'chloe', 'compliance', '', 0, '', '', 0, 0, '', '', 0, '');
CREATE TABLE `saved_views` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `staff_id` bigint(20) NOT NULL,
  `page` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `name` varchar(64) NOT NULL,
  `query` varchar(2048) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `shared` tinyint(4) NOT NULL,
  `created_at_us` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `saved_views_page` (`page`,`staff_id`)
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `saved_views` VALUES (1, 4, '/transactions', 'Anna', 'player=anna', 0, 1795434780000000);
CREATE TABLE `settings` (
  `name` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `value` text NOT NULL,
  `changed_at_us` bigint(20) NOT NULL,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `settings` VALUES ('base currency', '"EUR"', 1795425120000000);
INSERT INTO `settings` VALUES ('grant limits', '{"Limits":{"SpinsPerGrant":50,"PlayerGrantsPerDay":3,"PlayerSpinsPerDay":100,"StaffGrantsPerDay":2000,"StaffSpinsPerDay":15000,"HouseSpinsPerDay":30000,"Cost":{"EUR":{"Grant":2000,"PlayerPerDay":4000,"HousePerDay":600000}}},"SpinCost":{"EUR":20}}', 1795425000000000);
INSERT INTO `settings` VALUES ('notices', '{"kinds":["case","request"]}', 1795425360000000);
INSERT INTO `settings` VALUES ('sign-in rules', '{"IdleMinutes":15,"SessionHours":12,"SecondFactorRoles":null,"UnusedDays":90}', 1795424400000000);
CREATE TABLE `sign_in_counters` (
  `scope` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `username` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `origin` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `failures` bigint(20) NOT NULL,
  `last_at_us` bigint(20) NOT NULL,
  `until_us` bigint(20) NOT NULL,
  PRIMARY KEY (`scope`,`username`,`origin`),
  KEY `sign_in_counters_username` (`username`),
  KEY `sign_in_counters_last` (`last_at_us`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `sign_in_counters` VALUES ('address', '', '192.0.2.10', 1, 1795434600000000, 0);
INSERT INTO `sign_in_counters` VALUES ('stranger', 'sofia', '192.0.2.10', 1, 1795434600000000, 0);
INSERT INTO `sign_in_counters` VALUES ('strangers', 'sofia', '', 1, 1795434600000000, 0);
CREATE TABLE `spin_attributions` (
  `player_id` bigint(20) NOT NULL,
  `seq` bigint(20) NOT NULL,
  `grant_id` bigint(20) NOT NULL,
  `rule` tinyint(4) NOT NULL,
  PRIMARY KEY (`player_id`,`seq`),
  KEY `spin_attributions_grant` (`grant_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `spin_attributions` VALUES (1, 1, 1, 2);
INSERT INTO `spin_attributions` VALUES (1, 2, 1, 2);
INSERT INTO `spin_attributions` VALUES (1, 3, 1, 3);
INSERT INTO `spin_attributions` VALUES (2, 1, 0, 0);
CREATE TABLE `spin_entries` (
  `player_id` bigint(20) NOT NULL,
  `seq` bigint(20) NOT NULL,
  `kind` tinyint(4) NOT NULL,
  `transaction_id` varbinary(255) NOT NULL,
  `round_id` varbinary(255) NOT NULL,
  `spins` tinyint(4) NOT NULL,
  `stake_minor` bigint(20) NOT NULL,
  `grant_known` tinyint(4) NOT NULL,
  `at_us` bigint(20) NOT NULL,
  `hash` binary(32) NOT NULL,
  `signed_digest` binary(16) DEFAULT NULL,
  PRIMARY KEY (`player_id`,`seq`),
  KEY `spin_entries_at` (`at_us`),
  KEY `spin_entries_round` (`player_id`,`round_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `spin_entries` VALUES (1, 1, 20, 'spin-1', 'r-spin-1', 1, 20, 1, 1795427520000000, X'bdb368d99d77113b0ca03653f6844d17c92b52decb4c18d493a121bad0d360dc', X'39708a1d18fa5d82924822c70c9bbc45');
INSERT INTO `spin_entries` VALUES (1, 2, 20, 'spin-2', 'r-spin-2', 1, 20, 1, 1795427640000000, X'59442625037504de2066a0bd0efaa6c6c67167c16745680031cfc97e931999bb', X'9aa28064599545a75de71f9cfb9f6ef2');
INSERT INTO `spin_entries` VALUES (1, 3, 21, 'spin-2', 'r-spin-2', -1, -20, 0, 1795427700000000, X'b57ae26dc9c99575b553c706e4edb7cf2c099341357f95590f114ca8eeff869d', X'668098e5dc93059c00f560eb89285b03');
INSERT INTO `spin_entries` VALUES (2, 1, 20, 'spin-3', 'r-spin-3', 1, 20, 0, 1795427760000000, X'b2aa582233ef0d165535f1de3821655b6b11ec29fadf40149192b072c30694c3', X'c467234e9ed7bf9a77c841b58143fa0f');
CREATE TABLE `staff` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `username` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `name` varchar(255) NOT NULL,
  `role` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `password_hash` varchar(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `must_change_password` tinyint(4) NOT NULL,
  `totp_secret` varchar(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `totp_step` bigint(20) NOT NULL,
  `disabled` tinyint(4) NOT NULL,
  `zone` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `theme` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `density` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `quiet` tinyint(4) NOT NULL DEFAULT 0,
  `created_at_us` bigint(20) NOT NULL,
  `password_set_at_us` bigint(20) NOT NULL,
  `signed_in_at_us` bigint(20) NOT NULL,
  `email` varchar(254) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
  `enabled_at_us` bigint(20) NOT NULL DEFAULT 0,
  `unconfirmed` text NOT NULL,
  `identity` varbinary(512) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `staff_username` (`username`),
  UNIQUE KEY `staff_identity` (`identity`)
) ENGINE=InnoDB AUTO_INCREMENT=13 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `staff` VALUES (1, 'ada', 'Ada Lindqvist', 'admin', '$argon2id$v=19$m=8,t=1,p=1$N0MD8iCepFM8dRjbtJllWA$O0ZIhceSOImJZs4GHPeo5gaYWBAt5kJKWbt+OTXVGjc', 0, '', 0, 0, 'UTC', 'system', 'roomy', 0, 1795424400000000, 1795424400000000, 0, '', 0, 'null', NULL);
INSERT INTO `staff` VALUES (2, 'adam', 'Adam Okafor', 'admin', '$argon2id$v=19$m=8,t=1,p=1$5o7E/p0XRy/Y+uPIMnjAtA$XNVQqCbDOs5fV0JDwQ7ubPQSlIvtx8K1PG4J9qwX1QY', 0, '', 0, 0, 'UTC', 'system', 'roomy', 0, 1795424400000000, 1795424400000000, 0, '', 0, 'null', NULL);
INSERT INTO `staff` VALUES (3, 'bruno', 'Bruno Keller', 'bonus', '$argon2id$v=19$m=8,t=1,p=1$DOGxRr7OWYufjgzQ6jI2dQ$DEZuEn9c86TKTG3wDWc2abgazA6SCRlFYeyMtxjlzEE', 0, '', 0, 0, 'UTC', 'system', 'roomy', 0, 1795424400000000, 1795424400000000, 0, '', 0, 'null', NULL);
INSERT INTO `staff` VALUES (4, 'sofia', 'Sofia Marchetti', 'support', '$argon2id$v=19$m=8,t=1,p=1$aVonpkEFexnUVF404Qb8WQ$/+MXG3DWsj0M5G1u9m+gfu580xwShRMBBp462F9eca0', 0, '', 0, 0, 'UTC', 'system', 'roomy', 0, 1795424400000000, 1795424400000000, 1795434720000000, '', 0, 'null', NULL);
INSERT INTO `staff` VALUES (5, 'farid', 'Farid Haddad', 'finance', '$argon2id$v=19$m=8,t=1,p=1$e7cLIQ8DErE8SF+2/PiB/Q$DwH/v4KMr4IShaOOap0lieLuIrtRdHYF9JenIYg1MLY', 0, '', 0, 0, 'UTC', 'system', 'roomy', 0, 1795424400000000, 1795424400000000, 0, '', 0, 'null', NULL);
INSERT INTO `staff` VALUES (6, 'mira', 'Mira Novak', 'finance', '$argon2id$v=19$m=8,t=1,p=1$U2iZSP7tgTq3+DnugI88Yg$bEoIf62ubVCOSW81Ojcb7/GrI9HluiJRidcHeI8B6r0', 0, '', 0, 0, 'UTC', 'system', 'roomy', 0, 1795424400000000, 1795424400000000, 0, '', 0, 'null', NULL);
INSERT INTO `staff` VALUES (7, 'chloe', 'Chloe Martin', 'compliance', '$argon2id$v=19$m=8,t=1,p=1$ZMUra2XbNsvK51O6jC5c9Q$HMBNRSiCjMjFS8ArJbt2WUxIVFW7a3qrZsUBz4biCEA', 0, '', 0, 0, 'UTC', 'system', 'roomy', 0, 1795424400000000, 1795424400000000, 0, '', 0, 'null', NULL);
INSERT INTO `staff` VALUES (8, 'nora', 'nora', 'finance', '', 0, '', 0, 0, 'UTC', 'system', 'roomy', 0, 1795434000000000, 0, 0, '', 0, '[{"act":"created","by_id":1,"by":"ada","at":"2026-11-23T11:40:00Z"},{"act":"link","by_id":1,"by":"ada","at":"2026-11-23T11:41:00Z"}]', NULL);
INSERT INTO `staff` VALUES (9, 'otto', 'otto', 'compliance', 'another hash', 0, 'sealed', 1, 0, 'UTC', 'system', 'roomy', 0, 1795434120000000, 1795434240000000, 0, '', 0, '[]', NULL);
INSERT INTO `staff` VALUES (10, 'olaf', 'olaf', 'support', '', 0, '', 0, 1, 'UTC', 'system', 'roomy', 0, 1795434420000000, 0, 0, '', 0, '[{"act":"created","by_id":1,"by":"ada","at":"2026-11-23T11:47:00Z"}]', NULL);
INSERT INTO `staff` VALUES (11, 'admin-one', 'admin-one', 'admin', 'x', 0, '', 0, 0, 'UTC', 'system', 'roomy', 0, 1795434540000000, 1795434540000000, 0, '', 0, 'null', NULL);
INSERT INTO `staff` VALUES (12, 'admin-two', 'admin-two', 'admin', 'x', 0, '', 0, 0, 'UTC', 'system', 'roomy', 0, 1795434540000000, 1795434540000000, 0, '', 0, 'null', NULL);
CREATE TABLE `staff_devices` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `staff_id` bigint(20) NOT NULL,
  `device_hash` char(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `address` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `seen_at_us` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `staff_devices_device` (`staff_id`,`device_hash`),
  KEY `staff_devices_address` (`staff_id`,`address`)
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `staff_devices` VALUES (1, 4, 'a device', '192.0.2.10', 1795434720000000);
CREATE TABLE `staff_links` (
  `staff_id` bigint(20) NOT NULL,
  `code_hash` char(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `delivery` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `made_at_us` bigint(20) NOT NULL,
  `expires_at_us` bigint(20) NOT NULL,
  PRIMARY KEY (`staff_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `staff_links` VALUES (8, 'of a link', 'shown', 1795434060000000, 1795437660000000);
CREATE TABLE `staff_passkeys` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `staff_id` bigint(20) NOT NULL,
  `name` varchar(255) NOT NULL,
  `credential` text NOT NULL,
  `sign_count` bigint(20) NOT NULL,
  `added_at_us` bigint(20) NOT NULL,
  `used_at_us` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `staff_passkeys_staff` (`staff_id`)
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `staff_passkeys` VALUES (1, 9, 'key', '{"id":1}', 0, 1795434360000000, 0);
CREATE TABLE `staff_passwords` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `staff_id` bigint(20) NOT NULL,
  `password_hash` varchar(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  PRIMARY KEY (`id`),
  KEY `staff_passwords_staff` (`staff_id`)
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `staff_passwords` VALUES (1, 9, 'a hash');
CREATE TABLE `staff_recovery_codes` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `staff_id` bigint(20) NOT NULL,
  `code_hash` char(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `staff_recovery_codes_code` (`staff_id`,`code_hash`)
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `staff_recovery_codes` VALUES (1, 9, 'code 1');
INSERT INTO `staff_recovery_codes` VALUES (2, 9, 'code 2');
CREATE TABLE `staff_sessions` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `id_hash` char(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `staff_id` bigint(20) NOT NULL,
  `data` text NOT NULL,
  `address` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `agent` varchar(255) NOT NULL,
  `created_at_us` bigint(20) NOT NULL,
  `seen_at_us` bigint(20) NOT NULL,
  `expires_at_us` bigint(20) NOT NULL,
  `mac` char(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
  `form` char(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
  `form_led_to` text NOT NULL DEFAULT '',
  PRIMARY KEY (`id`),
  UNIQUE KEY `staff_sessions_hash` (`id_hash`),
  KEY `staff_sessions_staff` (`staff_id`),
  KEY `staff_sessions_expiry` (`expires_at_us`)
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `staff_sessions` VALUES (1, '5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e', 4, '{}', '192.0.2.10', 'Firefox', 1795434660000000, 1795434660000000, 1795438260000000, 'of the session', '', '');
CREATE TABLE `statement_differences` (
  `run_id` bigint(20) NOT NULL,
  `number` bigint(20) NOT NULL,
  `bucket` tinyint(4) NOT NULL,
  `edge` tinyint(4) NOT NULL,
  `transaction_id` varbinary(255) NOT NULL,
  `our_number` bigint(20) NOT NULL,
  `player_id` bigint(20) NOT NULL,
  `user_id` varbinary(255) NOT NULL,
  `currency` varbinary(8) NOT NULL,
  `kind` tinyint(4) NOT NULL,
  `free_spin` tinyint(4) NOT NULL,
  `at_us` bigint(20) NOT NULL,
  `line` bigint(20) NOT NULL,
  `their_id` varbinary(255) NOT NULL,
  `their_user` varbinary(255) NOT NULL,
  `our_there` tinyint(4) NOT NULL,
  `our_currency` varbinary(8) NOT NULL,
  `our_bet_minor` bigint(20) NOT NULL,
  `our_win_minor` bigint(20) NOT NULL,
  `our_free_spin` tinyint(4) NOT NULL,
  `our_standing` tinyint(4) NOT NULL,
  `their_there` tinyint(4) NOT NULL,
  `their_currency` varbinary(8) NOT NULL,
  `their_bet_minor` bigint(20) NOT NULL,
  `their_win_minor` bigint(20) NOT NULL,
  `their_free_spin` tinyint(4) NOT NULL,
  `their_standing` tinyint(4) NOT NULL,
  `detail` text NOT NULL,
  `remedy` tinyint(4) NOT NULL,
  `remedy_minor` bigint(20) NOT NULL,
  `case_id` bigint(20) NOT NULL,
  PRIMARY KEY (`run_id`,`number`),
  KEY `statement_differences_bucket` (`run_id`,`bucket`,`player_id`),
  KEY `statement_differences_bucket_at` (`run_id`,`bucket`,`at_us`,`number`),
  KEY `statement_differences_transaction` (`transaction_id`,`run_id`),
  KEY `statement_differences_ours` (`our_number`),
  KEY `statement_differences_at` (`run_id`,`at_us`,`number`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `statement_differences` VALUES (1, 1, 2, 0, 'win-1', 7, 1, 'anna', 'EUR', 2, 0, 1795426020000000, 3, '', '', 1, 'EUR', 0, 700, 0, 1, 1, 'EUR', 0, 800, 0, 1, 'the amount: platform 8.00, here 7.00', 2, 100, 22);
INSERT INTO `statement_differences` VALUES (1, 2, 4, 0, 'alone', 13, 1, 'anna', 'EUR', 2, 0, 1795426620000000, 0, '', '', 1, 'EUR', 0, 50, 0, 1, 0, '', 0, 0, 0, 0, '', 4, 50, 23);
INSERT INTO `statement_differences` VALUES (1, 3, 4, 0, 'bet-5', 16, 2, 'bert', 'EUR', 1, 0, 1795426860000000, 0, '', '', 1, 'EUR', 300, 0, 0, 1, 0, '', 0, 0, 0, 0, '', 1, 300, 24);
INSERT INTO `statement_differences` VALUES (1, 4, 4, 0, 'bet-6', 17, 4, 'deniz', 'TRY', 1, 0, 1795426920000000, 0, '', '', 1, 'TRY', 2000, 0, 0, 1, 0, '', 0, 0, 0, 0, '', 1, 2000, 25);
INSERT INTO `statement_differences` VALUES (1, 5, 4, 0, 'win-6', 18, 4, 'deniz', 'TRY', 2, 0, 1795426980000000, 0, '', '', 1, 'TRY', 0, 90000, 0, 1, 0, '', 0, 0, 0, 0, '', 4, 90000, 26);
INSERT INTO `statement_differences` VALUES (1, 6, 4, 0, 'both-7', 19, 5, 'test-eur', 'EUR', 3, 0, 1795427040000000, 0, '', '', 1, 'EUR', 100, 50, 0, 1, 0, '', 0, 0, 0, 0, '', 1, 50, 27);
INSERT INTO `statement_differences` VALUES (1, 7, 4, 0, 'bet-9', 21, 1, 'anna', 'EUR', 1, 0, 1795427160000000, 0, '', '', 1, 'EUR', 600, 0, 0, 1, 0, '', 0, 0, 0, 0, '', 1, 600, 28);
INSERT INTO `statement_differences` VALUES (1, 8, 4, 0, 'void', 22, 2, 'bert', 'EUR', 1, 0, 1795427220000000, 0, '', '', 1, 'EUR', 700, 0, 0, 1, 0, '', 0, 0, 0, 0, '', 1, 700, 29);
INSERT INTO `statement_differences` VALUES (1, 9, 4, 0, 'spin-1', 23, 1, 'anna', 'EUR', 1, 1, 1795427520000000, 0, '', '', 1, 'EUR', 20, 0, 1, 1, 0, '', 0, 0, 0, 0, '', 0, 0, 30);
INSERT INTO `statement_differences` VALUES (1, 10, 4, 0, 'spin-1-win', 24, 1, 'anna', 'EUR', 2, 0, 1795427580000000, 0, '', '', 1, 'EUR', 0, 150, 0, 1, 0, '', 0, 0, 0, 0, '', 4, 150, 31);
INSERT INTO `statement_differences` VALUES (1, 11, 4, 0, 'spin-3', 27, 2, 'bert', 'EUR', 1, 1, 1795427760000000, 0, '', '', 1, 'EUR', 20, 0, 1, 1, 0, '', 0, 0, 0, 0, '', 0, 0, 32);
INSERT INTO `statement_differences` VALUES (1, 12, 4, 0, 'bet-9-win', 45, 1, 'anna', 'EUR', 2, 0, 1795431780000000, 0, '', '', 1, 'EUR', 0, 900, 0, 1, 0, '', 0, 0, 0, 0, '', 4, 900, 33);
INSERT INTO `statement_differences` VALUES (1, 13, 5, 0, 'lost', 0, 2, 'bert', 'EUR', 1, 0, 0, 4, '', '', 0, '', 0, 0, 0, 0, 1, 'EUR', 500, 0, 0, 1, '', 4, 500, 21);
CREATE TABLE `statement_runs` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `statement_id` bigint(20) NOT NULL,
  `at_us` bigint(20) NOT NULL,
  `actor` varchar(255) NOT NULL,
  `state` tinyint(4) NOT NULL,
  `tries` int(11) NOT NULL DEFAULT 0,
  `permille` int(11) NOT NULL,
  `line_count` bigint(20) NOT NULL,
  `bad_lines` bigint(20) NOT NULL,
  `differences` bigint(20) NOT NULL,
  `erased_lines` bigint(20) NOT NULL,
  `edges` bigint(20) NOT NULL,
  `respelled` bigint(20) NOT NULL,
  `failure` text NOT NULL,
  `started_at_us` bigint(20) NOT NULL,
  `finished_at_us` bigint(20) NOT NULL,
  `cases` tinyint(4) NOT NULL,
  `sums` mediumtext NOT NULL,
  `bad` mediumtext NOT NULL,
  PRIMARY KEY (`id`),
  KEY `statement_runs_statement` (`statement_id`,`id`),
  KEY `statement_runs_state` (`state`,`id`)
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `statement_runs` VALUES (1, 1, 1795433940000000, 'farid', 5, 1, 1000, 3, 0, 13, 0, 0, 0, '', 1795433940000000, 1795433940000000, 1, '[{"currency":"EUR","bucket":1,"count":1,"silent":5,"ours":{"turnover":1000,"payout":0,"spin_stakes":0},"theirs":{"turnover":1000,"payout":0,"spin_stakes":0}},{"currency":"EUR","bucket":2,"count":1,"ours":{"turnover":0,"payout":700,"spin_stakes":0},"theirs":{"turnover":0,"payout":800,"spin_stakes":0}},{"currency":"EUR","bucket":4,"count":9,"ours":{"turnover":1700,"payout":1150,"spin_stakes":40},"theirs":{"turnover":0,"payout":0,"spin_stakes":0}},{"currency":"EUR","bucket":5,"count":1,"ours":{"turnover":0,"payout":0,"spin_stakes":0},"theirs":{"turnover":500,"payout":0,"spin_stakes":0}},{"currency":"TRY","bucket":4,"count":2,"ours":{"turnover":2000,"payout":90000,"spin_stakes":0},"theirs":{"turnover":0,"payout":0,"spin_stakes":0}}]', 'null');
CREATE TABLE `statements` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `at_us` bigint(20) NOT NULL,
  `actor` varchar(255) NOT NULL,
  `file_name` varchar(255) NOT NULL,
  `digest` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `file_bytes` bigint(20) NOT NULL,
  `header` mediumtext NOT NULL,
  `header_digest` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `file_id` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `layout` text NOT NULL,
  `since_us` bigint(20) NOT NULL,
  `until_us` bigint(20) NOT NULL,
  `margin_us` bigint(20) NOT NULL,
  `client_id` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `statements_at` (`at_us`),
  KEY `statements_digest` (`digest`),
  KEY `statements_file` (`file_id`),
  KEY `statements_header` (`header_digest`,`at_us`)
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `statements` VALUES (1, 1795433940000000, 'farid', 'platform.csv', 'd0b59516b5d18fdaac7a4915bfbf2645e2accfa23106b069e6ec2e3332f9f403', 132, '["transaction_id","type","amount","status","user_id","currency"]', '1c414bb28145580a1b1a8ed994f1c53c8bf918d62930d5b65c504c2516958e4c', '20261123T113900-6TZ5M2OSGAYO3U65YPOBL2AW6X', '{"decimal":",","columns":{"amount":"amount","currency":"currency","kind":"type","player":"user_id","state":"status","transaction":"transaction_id"},"times":"iso","zone":"UTC"}', 1795347540000000, 1795433940000000, 300000000, 0);
CREATE TABLE `verifications` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `at_us` bigint(20) NOT NULL,
  `actor` varchar(255) NOT NULL,
  `state` tinyint(4) NOT NULL,
  `tries` int(11) NOT NULL DEFAULT 0,
  `started_at_us` bigint(20) NOT NULL DEFAULT 0,
  `finished_at_us` bigint(20) NOT NULL DEFAULT 0,
  `lines_read` bigint(20) NOT NULL DEFAULT 0,
  `lines_expected` bigint(20) NOT NULL DEFAULT 0,
  `faults` bigint(20) NOT NULL DEFAULT 0,
  `report` mediumtext NOT NULL,
  `failure` text NOT NULL,
  PRIMARY KEY (`id`),
  KEY `verifications_state` (`state`),
  KEY `verifications_ended` (`finished_at_us`)
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `verifications` VALUES (1, 1795586520000000, 'chloe', 5, 0, 1795586520000000, 1795586520000000, 49, 49, 0, '{"Keyed":true,"Wallets":5,"Entries":45,"SpinEntries":4,"Transactions":35,"Tombstones":1,"AuditEvents":163,"ErasedTexts":0,"CoveredRows":98,"Checkpoints":0,"Held":0,"Faulty":null,"Audit":{"Faults":null,"Total":0},"Rows":{"Faults":null,"Total":0},"Figures":{"Faults":null,"Total":0},"Written":{"Faults":null,"Total":0}}', '');
CREATE TABLE `wallets` (
  `player_id` bigint(20) NOT NULL,
  `currency` varbinary(8) NOT NULL,
  `play_from_us` bigint(20) NOT NULL DEFAULT 0,
  `bonuses_from_us` bigint(20) NOT NULL DEFAULT 0,
  `deposits_from_us` bigint(20) NOT NULL DEFAULT 0,
  `cash_outs_from_us` bigint(20) NOT NULL DEFAULT 0,
  `limits` varbinary(2048) NOT NULL DEFAULT '',
  `limit_sums` varbinary(2048) NOT NULL DEFAULT '',
  `balance_minor` bigint(20) NOT NULL,
  `held_minor` bigint(20) NOT NULL DEFAULT 0,
  `seq` bigint(20) NOT NULL,
  `head` binary(32) NOT NULL,
  `spin_seq` bigint(20) NOT NULL,
  `spin_head` binary(32) NOT NULL,
  `erased` tinyint(4) NOT NULL DEFAULT 0,
  PRIMARY KEY (`player_id`),
  KEY `wallets_play_from` (`play_from_us`),
  KEY `wallets_currency` (`currency`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `wallets` VALUES (1, 'EUR', 0, 0, 0, 0, '{"zone":"Europe/Vienna","list":[{"kind":1,"period":1,"amount":300000,"next":{"to":400000,"at":"2026-11-24T10:55:00Z"}},{"kind":2,"period":3,"amount":500000}]}', '[{"from":"2026-11-23T23:00:00Z","until":"2026-11-24T23:00:00Z","stake":100,"won":0,"paid":0},{"from":"2026-11-22T23:00:00Z","until":"2026-11-29T23:00:00Z","stake":1700,"won":1800,"paid":5000},{"from":"2026-10-31T23:00:00Z","until":"2026-11-30T23:00:00Z","stake":1700,"won":1800,"paid":5000}]', 99100, 3100, 35, X'9290374d5bc0d1c5de311afdcef4a07d9bfb924bc6ac897ff8db6b8821294c8e', 3, X'b57ae26dc9c99575b553c706e4edb7cf2c099341357f95590f114ca8eeff869d', 0);
INSERT INTO `wallets` VALUES (2, 'EUR', 0, 253402214400000000, 0, 0, '', '', 49000, 0, 3, X'cb8830bdaaacc1e3e0160a7c6a9ac366f2b50090217c0b67a9a6086fd0f0bc53', 1, X'b2aa582233ef0d165535f1de3821655b6b11ec29fadf40149192b072c30694c3', 0);
INSERT INTO `wallets` VALUES (3, 'EUR', 0, 0, 1795517160000000, 0, '', '', 0, 0, 1, X'2d7321a290fc1e564451e8ffe377f8de7ada728028d962dd3a32a67f75301e2b', 0, X'0000000000000000000000000000000000000000000000000000000000000000', 0);
INSERT INTO `wallets` VALUES (4, 'TRY', 0, 0, 0, 0, '', '', 488000, 0, 3, X'524bdda18cee1bcb4084fb9bad310b98804dd39e6f1c1a42f63c328e2c6b3e92', 0, X'0000000000000000000000000000000000000000000000000000000000000000', 0);
INSERT INTO `wallets` VALUES (5, 'EUR', 0, 0, 0, 0, '', '', 49950, 0, 3, X'6bffd0aae2e1628de88e687d34d860976df3716850faa9d800f03282a0e35c9a', 0, X'0000000000000000000000000000000000000000000000000000000000000000', 0);
SET sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION';
CREATE TRIGGER audit_events_no_update BEFORE UPDATE ON audit_events FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'audit_events are only added';
SET sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION';
CREATE TRIGGER audit_events_no_delete BEFORE DELETE ON audit_events FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'audit_events are only added';
SET sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION';
CREATE TRIGGER declined_texts_no_update BEFORE UPDATE ON declined_texts FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'declined_texts are only added';
SET sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION';
CREATE TRIGGER declined_texts_no_delete BEFORE DELETE ON declined_texts FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'declined_texts are only added';
SET sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION';
CREATE TRIGGER postings_no_update BEFORE UPDATE ON postings FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'postings are only added';
SET sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION';
CREATE TRIGGER postings_no_delete BEFORE DELETE ON postings FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'postings are only added';
SET sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION';
CREATE TRIGGER spin_entries_no_update BEFORE UPDATE ON spin_entries FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'spin_entries are only added';
SET sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION';
CREATE TRIGGER spin_entries_no_delete BEFORE DELETE ON spin_entries FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'spin_entries are only added';
