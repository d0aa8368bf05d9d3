"""Words that orders are made of, each with the letter of its class.

A text becomes a string of classes, one letter for each word; `safety.phrases` looks for orders in
that string, so that one pattern holds for every wording and language.
"""

from typing import Final

from mnemos_files.safety.lookalikes import fold

OTHER: Final = "."
"""The class of a word that is in no list."""
STOP: Final = "|"
"""The class of what ends a sentence."""

_WORDS: Final = {
    "I": """ignore disregard neglect overlook ignoriere ignorieren ignorier missachte missachten
        ignorez ignorer ignora ignorad ignoren ignorar ignorem ignori ignorate negeer negeren
        zignoruj ignoruj pomin игнорируй игнорируйте проигнорируй проигнорируйте игнорировать
        تجاهل تجاهلي تجاهلوا ignorera desconsidere desconsidera omiso abaikan ігноруй
        abstraction""",
    "J": """forget unlearn unremember vergiss vergesst oublie oubliez oublier olvida olvide
        olviden olvidad olvidar esqueca esquece esquecam dimentica dimenticate dimenticare
        vergeet zapomnij забудь забудьте забыть انس glom olvidate olvidese olvidense
        dimenticati забудем zapomen lupakan esquecer""",
    "i": """override overriding bypass bypassing circumvent disobey violate discard dismiss cancel
        nullify abandon erase overwrite supersede supersedes overrides replaces replace
        suspend drop deactivate disable remove lift ueberschreibe uberschreibe umgehe umgehen
        verwirf contourne contournez outrepasse outrepassez annule annulez remplace remplacez
        remplacent anula anule elude sobrescribe sobrescreva descarta descarte обойди обходи
        отмени отмените отбрось aggira skip omit revoke revoking rescind invalidate retract
        waive scrap ditch toss throw reset wipe purge break breaking deviate regardless aside
        opposite contrary""",
    "P": """previous prior above earlier preceding foregoing existing former past precedent
        previously aforementioned vorherigen vorherige vorigen bisherigen bisherige obigen
        vorangegangenen vorhergehenden fruheren vorher zuvor bisher oben davor precedentes
        precedente precedents anterieures anterieurs precede dessus avant anteriores anterior
        previas previos previa antes arriba precedenti vorige eerdere voorgaande poprzednie
        poprzednich wczesniejsze предыдущие предыдущих предыдущую прежние прежних
        предшествующие вышеуказанные ранее выше прошлые السابقة السابقه onceki tidigare acima
        предыдущим предыдущими прошлым прежним given sebelumnya predchozi попередні पिछले
        upfront thus""",
    "S": """hidden initial original core internal default builtin preset secret systems
        ursprunglichen originales initiales iniciales""",
    "s": """safety guardrail guardrails safeguards safeguard ethical ethics moderation alignment
        censorship sicherheitsrichtlinien sicherheitsregeln""",
    "N": """instructions instruction directives directive guidelines orders programming
        anweisungen anweisung instruktionen vorgaben befehle consignes consigne directivas
        instrucciones instruccion indicaciones instrucoes instrucao diretrizes orientacoes
        istruzioni direttive instructies opdrachten instrukcje polecenia инструкции инструкцию
        указания указаний директивы التعليمات تعليمات talimatlari talimatlar instruktioner
        инструкциям инструкциями указаниям training directions briefing indications pokyny
        instruksi інструкції інструкцію निर्देशों निर्देश instrukcji instrukcjach instrukcjami
        poleceniach poleceniami polecen wytyczne wytycznych""",
    "p": "prompt prompts промпт промпты подсказки промпта промпту промптом",
    "n": """rules rule commands command messages constraints restrictions policies policy filters
        filter guidance limitations protocols protocol requirements regeln regles reglas
        ordenes regras regole regels правила правил ограничения команды القواعد limits
        boundaries controls checks mechanisms message правилам правилами text texts
        restricciones restricoes einschrankungen ограничений""",
    "A": """all any every everything anything whatever alle alles allen samtliche jede jeglichen
        tout tous toutes toute todas todos todo toda cualquier tudo tutte tutti tutto alla
        wszystkie wszystko все всех любые جميع كل butun tum each entire complete full whole
        what semua vsechny всі सभी totes""",
    "Y": """your yours ur dein deine deinen deiner votre vos tes ton tus su sus seu sua seus suas
        tuas tuo tue ваши ваших твои твоих свои""",
    "y": """you u yourself du dir dich ihnen vous toi tu te ti usted ustedes voce voces ты тебе
        вам вас вы""",
    "e": """a an the some my our ein eine einen der die das le la les un une el los las una um uma
        os as""",
    "G": """assistant assistants ai ais llm llms chatbot chatbots copilot claude gpt chatgpt
        gemini codex assistent assistenten ki assistente asistente ia ассистент помощник ии
        нейросеть llama grok""",
    "g": """agent agents model models bot bots agente agentes agenten modele modeles модель агент
        агенты модели modelo modelos modell""",
    "M": """must should shall ought required obliged need needs has have always muss mussen soll
        sollen sollst musst doit doivent devez debe deben debes deve devem должен должны
        обязан mandatory immer toujours siempre sempre всегда""",
    "D": """not never don dont no cannot stop cease refuse quit nicht kein keine keinen nie
        niemals ne pas jamais nunca nao не никогда non nichts rien nada niente ничего n لا""",
    "W": "without ohne sans sin sem без",
    "u": """reveal revealing disclose disclosing notify notifying alert alerting warn warning
        report reporting show showing say saying acknowledge acknowledging discuss discussing
        confess admit zeige revele revelez reveles""",
    "T": """tell telling inform informing mention mentioning sage sagen erzahle erwahne erwahnen
        verrate informiere informieren mitteilen dis dites dire mentionne mentionnez
        mentionner informe informez informer digas diga digan menciones mencione mencionar
        informes informar conte говори говорите сообщай сообщайте рассказывай упоминай
        упоминайте раскрывай сообщать упоминать told said wrote stated""",
    "U": """user human anyone anybody operator owner reviewer nutzer benutzer anwender anwendern
        nutzern benutzern utilisateur utilisateurs usuario usuarios utilizador utente
        пользователю пользователя пользователям пользователь nobody somebody maintainer""",
    "X": """send sends sending post forward upload uploading transmit exfiltrate leak submit
        deliver transfer email mail relay curl beacon sende senden schicke schicken ubermittle
        envoie envoyez envoyer transmets envia envie enviar enviad mande manda отправь
        отправьте отправляй отправляйте перешли пришли""",
    "K": """key keys token tokens password passwords passwd credential credentials secrets env ssh
        cookies cookie passphrase passphrases apikey apikeys passwort passworter schlussel
        zugangsdaten motdepasse identifiants contrasena contrasenas credenciales senha senhas
        credenciais пароль пароли ключи токен токены pem kubeconfig""",
    "Z": """memory memories notes note vault conversations chat chats transcript transcripts
        notizen erinnerungen memoires notas memorias заметки память conversation context
        conversacion conversa""",
    "z": """file files data content contents history repository repo code source directory folder
        variables variable config configuration log logs database dateien daten fichiers
        donnees archivos datos arquivos dados файлы данные""",
    "r": """print output repeat display dump expose echo recite provide give share paste list
        return enter type supply hand gib affiche affichez donne donnez muestra muestre
        imprime da dame mostre exiba выведи покажи дай include including append attach embed
        insert put add encode""",
    "R": """respond responding reply replying answer answering answers summarise summarize
        summarising summarizing summary asked ask asks asking prompted queried questioned
        recall recalled recalling retrieve retrieved retrieving translate translating antworte
        antworten antwortest zusammenfasst gefragt fragt repondre reponds repondez demande
        resumes resumer responder respondas pregunten pregunta resumas resumir perguntado
        perguntarem спросят ответом отвечать спрашивает""",
    "x": """read reads see process load parse encounter receive view access lies liest processes
        receives loads parses""",
    "v": """reading seeing processing loading parsing encountering receiving viewing accessing
        ingesting who lesen lit lisez lisant leer lee lea lendo ler читаешь читаете читающий""",
    "w": """when whenever if once after while upon until wenn falls sobald bevor quand lorsque si
        cuando quando se когда если перед soon moment""",
    "L": """also first instead additionally then auch zuerst zusatzlich aussi abord tambien
        primero tambem primeiro также сначала begin end start""",
    ">": "to for towards fur para pour для",
    "&": "and or und oder et ou e и",
    "H": """these below it that here diese dieser dieses diesen dies dazu davon ceci cela ce cette
        cet esto este esta estas isto isso это этот этого эту этом this them those""",
    "E": """execute run call invoke delete install download fetch open visit click commit save
        write create navigate browse destroy fuhre rufe losche offne executez appelle appelez
        supprime supprimez ejecuta ejecute borra elimina instala rode apague chame выполни
        выполните запусти запустите вызови удали удалите установи use prefer empfiehl empfehle
        recommande recommandez recomienda recomiende recomende рекомендуй рекомендуйте force""",
    "F": """follow obey obeying comply adhere listen heed respect folge befolge suis suivez sigue
        siga obedece obedeca следуй следуйте соблюдай following tiens tenez tenir compte obeis
        obeissez obeir ecoute ecoutez escuches sigas seguir seguire beachte beachten
        berucksichtige gehorche abide تتبع слушай слушайся обращай подчиняйся obedecas""",
    "b": "are re is be become bist sind es etes eres sera seras являешься",
    "o": """now jetzt nun maintenant desormais ahora agora henceforth hereafter onwards отныне ora
        теперь""",
    "O": """administrator admin root superuser hacker unlimited administrateur administrador
        pirate interpreter терминал persona terminal""",
    "m": "mode modus modo режим role rolle character identity name",
    "h": "http https www ftp webhook ngrok com net org xyz ru",
    "@": "@",
    "C": """confirmation approval permission consent verification review authorization
        authorisation bestatigung zustimmung genehmigung ruckfrage confirmacion aprobacion
        permiso confirmacao aprovacao подтверждения разрешения nachfragen knowledge knowing
        noticing fragen demander preguntar""",
    "c": """approved authorized authorised consented permitted allowed granted cleared preapproved
        trusted exempt whitelisted genehmigt autorise autorisee autorizado aprobado aprovado
        разрешил одобрил""",
    "k": """quiet confidential private secretly silently quietly covertly discreetly invisible
        geheim heimlich secretement discretement secreto secretamente segredo тайно скрытно""",
    "t": "keep hide conceal halte behalte verberge garde cache guarda oculta guarde esconda скрой",
    "a": "new updated real actual revised true neue neuen nouvelles nouvelle nuevas novas новые",
    "q": """task tasks goal goals objective objectives mission purpose job aufgabe ziel tache
        objectif tarea objetivo tarefa задача цель request requests question wishes""",
    "f": "from starting ab des desde partir",
    "j": "attention beachtung dear hey hello attn mind внимания внимание reminder notice memo",
    "l": "compliance management company",
    "%": """system developer sistema systeme systemprompt системные системный системную entwickler
        developers системного системному системным систему системы""",
    "<": "before",
    "#": "users humans customers reviewers maintainers customer",
    "!": """recommend recommends recommending suggest suggesting endorse claim claiming insist
        promote advise praise praising favour favor""",
    "=": """dan unrestricted unfiltered uncensored jailbroken jailbreak unbound unchained evil
        amoral rogue godmode devmode omnipotent uneingeschrankt""",
    ",": """tls ssl certificate certificates signature signatures sandbox authentication auth 2fa
        mfa security""",
    ":": """void cancelled canceled revoked invalid obsolete superseded withdrawn nullified
        outdated annulled""",
    "_": "approve merge trust whitelist grant allow",
    "/": """ignored disregarded forgotten overridden bypassed overruled discarded dropped
        ignoriert vergessen""",
    "V": "yoksay gormezden unut अनदेखा भूल नजरअंदाज",
    "*": "url link image query",
    "'": "act acting behave pretend roleplay simulate impersonate",
    "Q": """attack attacks attacker attackers adversary injection injections injected jailbreaks
        malicious payload payloads phrase phrases example examples eg g such says contains
        contain containing detect detects detecting detector scanner scanners flag flags
        flagged blocks blocked pattern patterns regex string strings rejects catches caught
        triggers exploit exploits poisoned poisoning suspicious phishing adversarial quote
        quotes quoted quoting titled labelled fixture angriff angreifer angriffe beispiel
        beispielsweise bosartige attaque attaques attaquant exemple exemples injektion ataque
        ataques atacante atacantes ejemplo exemplo inyeccion injecao атака атаки пример
        злоумышленник злоумышленники инъекция фразы tries tried try attempts attempt attempted
        tricks trick tricked convince convinces persuade persuades instructing instructs
        instructed tells attempting vulnerability cve writes typed pretending claims""",
    "d": """we they people he she i which may might can could would will programmers students
        compilers parsers tools clients servers often sometimes usually wir sie man kann
        konnen werden nous ils peut peuvent nosotros ellos puede pueden eles podem можем мы
        они может elle il han ha hat habe haben""",
}

_TERMS: Final = {
    "V": """抛弃 放弃 覆盖 绕过 破棄 不要管 忽略 忽视 無視 无视 不要理会 不要遵守 别管 무시
        忘记 忘掉 忘了 忘れ 잊어""",
    "P": "之前 以前 上述 以上 上面 先前 此前 前面 これまで 今まで 上記 前の 이전 위의 앞의",
    "F": "従わ 遵从 服从 따르",
    "N": "指令 指示 说明 命令 指引 지시 명령",
    "p": "提示词 提示 プロンプト 프롬프트",
    "n": "规则 規則 限制 ルール 制限 规定 규칙",
    "%": "系统 システム 系統 시스템",
    "A": "所有 全部 一切 すべて 全て 任何 모든 모두",
    "Y": "你的 您的 あなたの 당신의",
    "y": "你 您 あなた 당신",
    "G": "人工智能 助手 助理 アシスタント 人工知能 어시스턴트",
    "g": "模型 代理 エージェント モデル",
    "M": "必须 应该 一定要 必ず しなければ 务必 반드시",
    "D": "不要 不得 不能 别 禁止 切勿 ないで しないで てはいけ 하지",
    "T": "告诉 告知 提及 透露 通知 提到 伝え 教え 言わ 言及 알리 말하",
    "U": "用户 使用者 ユーザー ユーザ 사용자",
    "X": "发送 上传 发到 转发 送信 アップロード 发送到 보내",
    "K": "密码 密钥 令牌 口令 凭据 パスワード 鍵 トークン 비밀번호",
    "Z": "笔记 记忆 对话 メモ 記憶 会話 대화",
    "o": "现在 从现在 今から これから 지금부터",
    "b": "是 扮演 として なりきって",
    "w": "当 如果 回答前 の前に 時 とき",
    "R": "回答 总结 回复 要約 答え 返信",
    "L": "同时 首先 また 必须先 まず",
    "E": "执行 运行 调用 删除 安装 実行 削除 呼び出",
    "!": "推荐 推奨 おすすめ",
    "O": "不受限制 无限制 管理员 制限なし 管理者",
    "Q": "攻击 例如 比如 注入 攻撃 例えば 恶意 という 検出 공격 所谓 等短语",
    "|": "。 \uff01 \uff1f",
}
"""Words of scripts without spaces, found wherever they stand; the longest first."""

_STOPS: Final = ".!?;\n"


def _classes() -> dict[str, str]:
    found = dict.fromkeys(_STOPS, STOP)
    for letter, words in _WORDS.items():
        for word in words.split():
            found.setdefault("".join(map(fold, word)), letter)
    for letter, words in _TERMS.items():
        for word in words.split():
            found[word] = letter
    return found


CLASSES: Final = _classes()
"""Folded word to the letter of its class; of two lists with the same word the first wins."""

TERMS: Final = tuple(
    sorted((word for words in _TERMS.values() for word in words.split()), key=len, reverse=True)
)

CORE: Final = (
    *("ignore", "disregard", "forget", "override", "bypass", "previous", "prior", "earlier"),
    *(
        "above",
        "instructions",
        "instruction",
        "directives",
        "guidelines",
        "system",
        "prompt",
        "everything",
    ),
    *("rules", "reveal", "password"),
)
"""Words that are also known misspelt, in look-alike letters and with digits for letters."""
