<?xml version='1.0' encoding='utf-8'?>
<TS version="2.1" language="en" sourcelanguage="en">
    <context>
        <name>AnswerFooter</name>
        <message numerus="yes">
            <source>%Ln source(s)</source>
            <translation>
                <numerusform>%Ln source</numerusform>
                <numerusform>%Ln sources</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln token(s)</source>
            <translation>
                <numerusform>%Ln token</numerusform>
                <numerusform>%Ln tokens</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Reading %Ln passage(s)…</source>
            <translation>
                <numerusform>Reading %Ln passage…</numerusform>
                <numerusform>Reading %Ln passages…</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>The answer is complete, with %Ln source(s).</source>
            <translation>
                <numerusform>The answer is complete, with %Ln source.</numerusform>
                <numerusform>The answer is complete, with %Ln sources.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>AnswerPoints</name>
        <message numerus="yes">
            <source>Contains {0} of %Ln point(s)</source>
            <translation>
                <numerusform>Contains {0} of %Ln point</numerusform>
                <numerusform>Contains {0} of %Ln points</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ClaimList</name>
        <message numerus="yes">
            <source>and %Ln more</source>
            <translation>
                <numerusform>and %Ln more</numerusform>
                <numerusform>and %Ln more</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ConversationsPane</name>
        <message numerus="yes">
            <source>Deleted %Ln chat(s)</source>
            <translation>
                <numerusform>Deleted %Ln chat</numerusform>
                <numerusform>Deleted %Ln chats</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Counts</name>
        <message numerus="yes">
            <source>%Ln course(s)</source>
            <translation>
                <numerusform>%Ln course</numerusform>
                <numerusform>%Ln courses</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln file(s)</source>
            <translation>
                <numerusform>%Ln file</numerusform>
                <numerusform>%Ln files</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln lesson(s)</source>
            <translation>
                <numerusform>%Ln lesson</numerusform>
                <numerusform>%Ln lessons</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>CourseMenu</name>
        <message numerus="yes">
            <source>Remove file with %Ln lesson(s)</source>
            <translation>
                <numerusform>Remove file with %Ln lesson</numerusform>
                <numerusform>Remove file with %Ln lessons</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>CourseSidebar</name>
        <message numerus="yes">
            <source>%Ln sample course(s)</source>
            <translation>
                <numerusform>%Ln sample course</numerusform>
                <numerusform>%Ln sample courses</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>CourseTreeModel</name>
        <message numerus="yes">
            <source>%Ln card(s) due</source>
            <translation>
                <numerusform>%Ln card due</numerusform>
                <numerusform>%Ln cards due</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>, %Ln card(s) due</source>
            <translation>
                <numerusform>, %Ln card due</numerusform>
                <numerusform>, %Ln cards due</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ExamPage</name>
        <message numerus="yes">
            <source>%Ln card(s) added.</source>
            <translation>
                <numerusform>%Ln card added.</numerusform>
                <numerusform>%Ln cards added.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln minute(s) left</source>
            <translation>
                <numerusform>%Ln minute left</numerusform>
                <numerusform>%Ln minutes left</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Deleted meanwhile and left out: %Ln question(s).</source>
            <translation>
                <numerusform>Deleted meanwhile and left out: %Ln question.</numerusform>
                <numerusform>Deleted meanwhile and left out: %Ln questions.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Not taught in this course: %Ln question(s) of the paper.</source>
            <translation>
                <numerusform>Not taught in this course: %Ln question of the paper.</numerusform>
                <numerusform>Not taught in this course: %Ln questions of the paper.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln question(s) of this deck.</source>
            <translation>
                <numerusform>%Ln question of this deck.</numerusform>
                <numerusform>%Ln questions of this deck.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Reviews already ask %Ln of these questions.</source>
            <translation>
                <numerusform>Reviews already ask %Ln of these questions.</numerusform>
                <numerusform>Reviews already ask %Ln of these questions.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>The deck lacks %Ln question(s) for {0}: make some.</source>
            <translation>
                <numerusform>The deck lacks %Ln question for {0}: make some.</numerusform>
                <numerusform>The deck lacks %Ln questions for {0}: make some.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Without an answer: %Ln question(s).</source>
            <translation>
                <numerusform>Without an answer: %Ln question.</numerusform>
                <numerusform>Without an answer: %Ln questions.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>FailuresDialog</name>
        <message numerus="yes">
            <source>%Ln file(s) failed</source>
            <translation>
                <numerusform>%Ln file failed</numerusform>
                <numerusform>%Ln files failed</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln file(s) incomplete</source>
            <translation>
                <numerusform>%Ln file incomplete</numerusform>
                <numerusform>%Ln files incomplete</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln file(s) skipped</source>
            <translation>
                <numerusform>%Ln file skipped</numerusform>
                <numerusform>%Ln files skipped</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln file(s) without text to ask about</source>
            <translation>
                <numerusform>%Ln file without text to ask about</numerusform>
                <numerusform>%Ln files without text to ask about</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Show %Ln file(s) without text</source>
            <translation>
                <numerusform>Show %Ln file without text</numerusform>
                <numerusform>Show %Ln files without text</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>FolderSync</name>
        <message numerus="yes">
            <source>%Ln file(s) read</source>
            <translation>
                <numerusform>%Ln file read</numerusform>
                <numerusform>%Ln files read</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln moved</source>
            <translation>
                <numerusform>%Ln moved</numerusform>
                <numerusform>%Ln moved</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln removed</source>
            <translation>
                <numerusform>%Ln removed</numerusform>
                <numerusform>%Ln removed</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>IngestStatus</name>
        <message numerus="yes">
            <source>%Ln failed</source>
            <translation>
                <numerusform>%Ln failed</numerusform>
                <numerusform>%Ln failed</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln incomplete</source>
            <translation>
                <numerusform>%Ln incomplete</numerusform>
                <numerusform>%Ln incomplete</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln skipped</source>
            <translation>
                <numerusform>%Ln skipped</numerusform>
                <numerusform>%Ln skipped</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Nothing new: %Ln file(s) already in the library</source>
            <translation>
                <numerusform>Nothing new: %Ln file already in the library</numerusform>
                <numerusform>Nothing new: %Ln files already in the library</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ItemDetail</name>
        <message numerus="yes">
            <source>%Ln item(s) selected</source>
            <translation>
                <numerusform>%Ln item selected</numerusform>
                <numerusform>%Ln items selected</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ItemsPage</name>
        <message numerus="yes">
            <source>Deleted %Ln item(s)</source>
            <translation>
                <numerusform>Deleted %Ln item</numerusform>
                <numerusform>Deleted %Ln items</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>KeepingController</name>
        <message numerus="yes">
            <source>Delete everything in the trash for good, with %Ln study item(s)? You cannot undo this.</source>
            <translation>
                <numerusform>Delete everything in the trash for good, with %Ln study item? You cannot undo this.</numerusform>
                <numerusform>Delete everything in the trash for good, with %Ln study items? You cannot undo this.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>LessonView</name>
        <message numerus="yes">
            <source>%Ln mark(s) of yours</source>
            <translation>
                <numerusform>%Ln mark of yours</numerusform>
                <numerusform>%Ln marks of yours</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>LibraryController</name>
        <message numerus="yes">
            <source>Removed %Ln course(s)</source>
            <translation>
                <numerusform>Removed %Ln course</numerusform>
                <numerusform>Removed %Ln courses</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Removed %Ln file(s)</source>
            <translation>
                <numerusform>Removed %Ln file</numerusform>
                <numerusform>Removed %Ln files</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>MainWindow</name>
        <message numerus="yes">
            <source>%Ln file(s) could not be rea&amp;d…</source>
            <translation>
                <numerusform>%Ln file could not be rea&amp;d…</numerusform>
                <numerusform>%Ln files could not be rea&amp;d…</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>MakeDialog</name>
        <message numerus="yes">
            <source>%Ln marked term(s), made on this computer, free of charge.</source>
            <translation>
                <numerusform>%Ln marked term, made on this computer, free of charge.</numerusform>
                <numerusform>%Ln marked terms, made on this computer, free of charge.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln marked term(s); for questions about everything else connect a model.</source>
            <translation>
                <numerusform>%Ln marked term; for questions about everything else connect a model.</numerusform>
                <numerusform>%Ln marked terms; for questions about everything else connect a model.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>About %Ln minute(s) on a computer with two cores.</source>
            <translation>
                <numerusform>About %Ln minute on a computer with two cores.</numerusform>
                <numerusform>About %Ln minutes on a computer with two cores.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>From %Ln passage(s).</source>
            <translation>
                <numerusform>From %Ln passage.</numerusform>
                <numerusform>From %Ln passages.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>MakingPage</name>
        <message numerus="yes">
            <source>%Ln token(s)</source>
            <translation>
                <numerusform>%Ln token</numerusform>
                <numerusform>%Ln tokens</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Stopped. %Ln item(s) made so far are in the deck.</source>
            <translation>
                <numerusform>Stopped. %Ln item made so far are in the deck.</numerusform>
                <numerusform>Stopped. %Ln items made so far are in the deck.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{0} of %Ln item(s)</source>
            <translation>
                <numerusform>{0} of %Ln item</numerusform>
                <numerusform>{0} of %Ln items</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>MoveDialog</name>
        <message numerus="yes">
            <source>Move %Ln file(s) to</source>
            <translation>
                <numerusform>Move %Ln file to</numerusform>
                <numerusform>Move %Ln files to</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>OverviewPage</name>
        <message numerus="yes">
            <source>%Ln card(s) due today</source>
            <translation>
                <numerusform>%Ln card due today</numerusform>
                <numerusform>%Ln cards due today</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Review %Ln due</source>
            <translation>
                <numerusform>Review %Ln due</numerusform>
                <numerusform>Review %Ln due</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>PlanDialog</name>
        <message numerus="yes">
            <source>%Ln data file(s)</source>
            <translation>
                <numerusform>%Ln data file</numerusform>
                <numerusform>%Ln data files</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln excluded</source>
            <translation>
                <numerusform>%Ln excluded</numerusform>
                <numerusform>%Ln excluded</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln other file(s)</source>
            <translation>
                <numerusform>%Ln other file</numerusform>
                <numerusform>%Ln other files</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln picture(s)</source>
            <translation>
                <numerusform>%Ln picture</numerusform>
                <numerusform>%Ln pictures</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln program file(s)</source>
            <translation>
                <numerusform>%Ln program file</numerusform>
                <numerusform>%Ln program files</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln recording(s)</source>
            <translation>
                <numerusform>%Ln recording</numerusform>
                <numerusform>%Ln recordings</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln translation(s)</source>
            <translation>
                <numerusform>%Ln translation</numerusform>
                <numerusform>%Ln translations</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Read %Ln file(s)</source>
            <translation>
                <numerusform>Read %Ln file</numerusform>
                <numerusform>Read %Ln files</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>PlanPage</name>
        <message numerus="yes">
            <source>%Ln lesson(s) marked as studied</source>
            <translation>
                <numerusform>%Ln lesson marked as studied</numerusform>
                <numerusform>%Ln lessons marked as studied</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Exam in %Ln day(s)</source>
            <translation>
                <numerusform>Exam in %Ln day</numerusform>
                <numerusform>Exam in %Ln days</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Review %Ln card(s)</source>
            <translation>
                <numerusform>Review %Ln card</numerusform>
                <numerusform>Review %Ln cards</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Today: %Ln card(s)</source>
            <translation>
                <numerusform>Today: %Ln card</numerusform>
                <numerusform>Today: %Ln cards</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ProgressPage</name>
        <message numerus="yes">
            <source>%Ln card(s) forgotten again and again.</source>
            <translation>
                <numerusform>%Ln card forgotten again and again.</numerusform>
                <numerusform>%Ln cards forgotten again and again.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln card(s) suspended.</source>
            <translation>
                <numerusform>%Ln card suspended.</numerusform>
                <numerusform>%Ln cards suspended.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln card(s): {known} known, {learning} being learned, {new} new</source>
            <translation>
                <numerusform>%Ln card: {known} known, {learning} being learned, {new} new</numerusform>
                <numerusform>%Ln cards: {known} known, {learning} being learned, {new} new</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln due</source>
            <translation>
                <numerusform>%Ln due</numerusform>
                <numerusform>%Ln due</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln item(s)</source>
            <translation>
                <numerusform>%Ln item</numerusform>
                <numerusform>%Ln items</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln new</source>
            <translation>
                <numerusform>%Ln new</numerusform>
                <numerusform>%Ln new</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln new card(s) not counted.</source>
            <translation>
                <numerusform>%Ln new card not counted.</numerusform>
                <numerusform>%Ln new cards not counted.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln review(s), {today} of them today.</source>
            <translation>
                <numerusform>%Ln review, {today} of them today.</numerusform>
                <numerusform>%Ln reviews, {today} of them today.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>PublishDialog</name>
        <message numerus="yes">
            <source>%Ln passage(s) sent</source>
            <translation>
                <numerusform>%Ln passage sent</numerusform>
                <numerusform>%Ln passages sent</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln removed</source>
            <translation>
                <numerusform>%Ln removed</numerusform>
                <numerusform>%Ln removed</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Published. %Ln passage(s) sent.</source>
            <translation>
                <numerusform>Published. %Ln passage sent.</numerusform>
                <numerusform>Published. %Ln passages sent.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>QuestionContext</name>
        <message numerus="yes">
            <source>lesson(s) {0}</source>
            <translation>
                <numerusform>lesson {0}</numerusform>
                <numerusform>lessons {0}</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{0} and %Ln more</source>
            <translation>
                <numerusform>{0} and %Ln more</numerusform>
                <numerusform>{0} and %Ln more</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>QuizStart</name>
        <message numerus="yes">
            <source>%Ln question(s), chosen at random</source>
            <translation>
                <numerusform>%Ln question, chosen at random</numerusform>
                <numerusform>%Ln questions, chosen at random</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>All %Ln question(s)</source>
            <translation>
                <numerusform>All %Ln question</numerusform>
                <numerusform>All %Ln questions</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ReviewEnd</name>
        <message numerus="yes">
            <source>%Ln card(s) reviewed.</source>
            <translation>
                <numerusform>%Ln card reviewed.</numerusform>
                <numerusform>%Ln cards reviewed.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Your daily limit holds back %Ln more.</source>
            <translation>
                <numerusform>Your daily limit holds back %Ln more.</numerusform>
                <numerusform>Your daily limit holds back %Ln more.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Spending</name>
        <message numerus="yes">
            <source>This month: {cost} for %Ln answer(s); {tokens} tokens, {cached} of them from the cache.</source>
            <translation>
                <numerusform>This month: {cost} for %Ln answer; {tokens} tokens, {cached} of them from the cache.</numerusform>
                <numerusform>This month: {cost} for %Ln answers; {tokens} tokens, {cached} of them from the cache.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>StaleNews</name>
        <message numerus="yes">
            <source>%Ln answer(s) or item(s) rest on sentences that have changed or are gone</source>
            <translation>
                <numerusform>%Ln answer or item rest on sentences that have changed or are gone</numerusform>
                <numerusform>%Ln answers or items rest on sentences that have changed or are gone</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>StalePage</name>
        <message numerus="yes">
            <source>Deleted %Ln item(s)</source>
            <translation>
                <numerusform>Deleted %Ln item</numerusform>
                <numerusform>Deleted %Ln items</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>TaughtRows</name>
        <message numerus="yes">
            <source>%n not found</source>
            <translation>
                <numerusform>%n not found</numerusform>
                <numerusform>%n not found</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>TeachingController</name>
        <message numerus="yes">
            <source>%Ln question(s) do not find what their answers cite and were left out.</source>
            <translation>
                <numerusform>%Ln question do not find what their answers cite and were left out.</numerusform>
                <numerusform>%Ln questions do not find what their answers cite and were left out.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>TodayStrip</name>
        <message numerus="yes">
            <source>%Ln minute(s) to study today</source>
            <translation>
                <numerusform>%Ln minute to study today</numerusform>
                <numerusform>%Ln minutes to study today</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Transcript</name>
        <message numerus="yes">
            <source>Show %Ln earlier question(s)</source>
            <translation>
                <numerusform>Show %Ln earlier question</numerusform>
                <numerusform>Show %Ln earlier questions</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>TranscriptBar</name>
        <message numerus="yes">
            <source>%Ln part(s) could not be understood.</source>
            <translation>
                <numerusform>%Ln part could not be understood.</numerusform>
                <numerusform>%Ln parts could not be understood.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>TranscriptionDialog</name>
        <message numerus="yes">
            <source>%Ln recording(s)</source>
            <translation>
                <numerusform>%Ln recording</numerusform>
                <numerusform>%Ln recordings</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>TranscriptionQueue</name>
        <message numerus="yes">
            <source>%Ln recording(s) left to transcribe.</source>
            <translation>
                <numerusform>%Ln recording left to transcribe.</numerusform>
                <numerusform>%Ln recordings left to transcribe.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Ways</name>
        <message numerus="yes">
            <source>Free, private, slower. {0}, about %Ln minute(s) per answer.</source>
            <translation>
                <numerusform>Free, private, slower. {0}, about %Ln minute per answer.</numerusform>
                <numerusform>Free, private, slower. {0}, about %Ln minutes per answer.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Free, private, slower. {0}, about %Ln second(s) per answer.</source>
            <translation>
                <numerusform>Free, private, slower. {0}, about %Ln second per answer.</numerusform>
                <numerusform>Free, private, slower. {0}, about %Ln seconds per answer.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{0} and %Ln more</source>
            <translation>
                <numerusform>{0} and %Ln more</numerusform>
                <numerusform>{0} and %Ln more</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{done} of {total}, {rate}/s, %Ln minute(s) left</source>
            <translation>
                <numerusform>{done} of {total}, {rate}/s, %Ln minute left</numerusform>
                <numerusform>{done} of {total}, {rate}/s, %Ln minutes left</numerusform>
            </translation>
        </message>
    </context>
</TS>