/// The script of pages with plots: pans and zooms along the time axis.
///
/// It only moves what the SVG holds already and redraws traces from the embedded samples; texts
/// are set as text, never as markup.
enum FigureScript {
  static let text = #"""
    "use strict";
    (function(){
    var figures=JSON.parse(document.getElementById("data").textContent);
    function bytes(s){var b=atob(s),n=b.length,a=new Uint8Array(n);for(var i=0;i<n;i++)a[i]=b.charCodeAt(i);return a.buffer}
    function textWidth(s,size){var w=0;for(var i=0;i<s.length;i++){var c=s.charCodeAt(i);
     w+=(c===32||c===44||c===46||c===58||c===105||c===106||c===108)?.34:(c>=48&&c<58)?.6:((c>64&&c<91)||c===109||c===119||c===37)?.8:c>=4352?1.05:.6}return w*size}
    function setUp(root,data){
     var panels=[];data.forEach(function(p){panels.push({origin:p.origin,low:p.low,step:(p.high-p.low)/65534,longest:p.longest*1000,
      t:p.t===undefined?panels[p.timesOf].t:new Uint32Array(bytes(p.t)),series:p.series.map(function(s){return new Int16Array(bytes(s))})})});
     var svgs=[].slice.call(root.querySelectorAll("svg")),T0=+svgs[0].dataset.t0,T1=+svgs[0].dataset.t1,a=T0,b=T1,pending=false;
     var parts=svgs.map(function(svg){return{svg:svg,x0:+svg.dataset.x0,x1:+svg.dataset.x1,
      spans:svg.querySelectorAll("rect[data-a]"),crosses:svg.querySelectorAll("path[data-a]"),edges:svg.querySelectorAll("path[data-t]"),
      labels:svg.querySelectorAll("g.labels"),panels:svg.querySelectorAll("g.panel"),ticks:svg.querySelector("g.ticks"),unit:svg.querySelector(".timeunit")}});
     function lower(t,v){var l=0,h=t.length;while(l<h){var m=(l+h)>>1;if(t[m]<v)l=m+1;else h=m}return l}
     function trace(p,s,x0,x1,y0,y1,v0,v1){
      var t=p.t,q=p.series[s],m0=(a-p.origin)*1000,m1=(b-p.origin)*1000,i=Math.max(0,lower(t,m0)-1),e=Math.min(t.length,lower(t,m1)+1);
      var kx=(x1-x0)/(m1-m0),ky=(y1-y0)/(v1-v0),out=[],down=false,col=-1e9,f=-1,l=-1,lo=-1,hi=-1,prev=-1;
      function put(k){out.push((down?"L":"M")+((t[k]-m0)*kx+x0).toFixed(1)+" "+(y0+(p.low+(q[k]+32767)*p.step-v0)*ky).toFixed(1));down=true}
      function flush(){if(f<0)return;var m=Math.min(lo,hi),n=Math.max(lo,hi);put(f);if(m>f)put(m);if(n>m&&n>f)put(n);if(l>n&&l>f)put(l);f=-1}
      for(;i<e;i++){if(q[i]===-32768)continue;
       if(prev>=0&&t[i]-t[prev]>p.longest){flush();down=false}
       var c=Math.floor((t[i]-m0)*kx);if(c!==col){flush();col=c}
       if(f<0){f=lo=hi=i}if(q[i]<q[lo])lo=i;if(q[i]>q[hi])hi=i;l=i;prev=i}
      flush();return out.join("")}
     function niceTicks(n){var w=b-a,s=w/n,st;if(w>120){var all=[5,10,15,30,60,120,300,600,900,1800,3600,7200];st=all.filter(function(v){return v>=s})[0]||s}
      else{var e=Math.pow(10,Math.floor(Math.log10(s)));st=[1,2,5,10].map(function(v){return v*e}).filter(function(v){return v>=s*.999})[0]}
      var r=[];for(var k=Math.ceil(a/st);k<=Math.floor(b/st)&&r.length<100;k++)r.push(+(k*st).toPrecision(12));return r}
     function timeText(v){var w=b-a;if(w<=120||v<0)return String(+v.toFixed(3)).replace("-","\u2212");var s=Math.round(v),p=function(n){return(n<10?"0":"")+n};
      return w>3600||s>=3600?Math.floor(s/3600)+":"+p(Math.floor(s/60)%60)+":"+p(s%60):Math.floor(s/60)+":"+p(s%60)}
     var NS="http://www.w3.org/2000/svg";
     function el(tag,attrs){var n=document.createElementNS(NS,tag);for(var k in attrs)n.setAttribute(k,attrs[k]);return n}
     function draw(){pending=false;parts.forEach(function(g){
      if(!g.svg.getClientRects().length)return;
      var k=(g.x1-g.x0)/(b-a),X=function(v){return g.x0+(v-a)*k},box=function(v){return Math.max(-1e5,Math.min(1e5,v))};
      g.spans.forEach(function(r){var l=box(X(+r.dataset.a)),w=box(X(+r.dataset.b))-l;r.setAttribute("x",l.toFixed(1));r.setAttribute("width",Math.max(w,r.classList.contains("gap")?1.5:0).toFixed(1))});
      g.crosses.forEach(function(r){var l=box(X(+r.dataset.a)),e=Math.max(box(X(+r.dataset.b)),l+2),y=+r.dataset.y;r.setAttribute("d","M"+l+" "+y+"L"+e+" "+(y+12)+"M"+l+" "+(y+12)+"L"+e+" "+y)});
      g.edges.forEach(function(r){var l=box(X(+r.dataset.t));r.setAttribute("d","M"+l+" "+r.dataset.y0+"L"+l+" "+r.dataset.y1)});
      g.labels.forEach(function(row){var taken=g.x0-4;row.querySelectorAll("text").forEach(function(n){
       var l=X(+n.dataset.a),r=X(+n.dataset.b),m=(Math.max(l,g.x0)+Math.min(r,g.x1))/2,done=false;
       if(r>=g.x0&&l<=g.x1&&m>=g.x0&&m<=g.x1)for(var i=0;n.dataset["l"+i]!==undefined&&!done;i++){var s=n.dataset["l"+i],w=textWidth(s,12),x=Math.min(Math.max(m,g.x0+w/2),g.x1-w/2);
        if(x-w/2>=taken+4&&x+w/2<=g.x1+.5){taken=x+w/2;n.setAttribute("x",x.toFixed(1));n.textContent=s;done=true}}
       if(!done)n.textContent=""})});
      g.panels.forEach(function(pg){var p=panels[+pg.dataset.p],d=pg.dataset;pg.querySelectorAll("path").forEach(function(n){
       n.setAttribute("d",trace(p,+n.dataset.s,g.x0,g.x1,+d.y0,+d.y1,+d.v0,+d.v1))})});
      var y=+g.ticks.dataset.y;while(g.ticks.firstChild)g.ticks.removeChild(g.ticks.firstChild);
      var W=g.svg.viewBox.baseVal.width;
      niceTicks(Math.max(2,Math.floor((g.x1-g.x0)/80))).forEach(function(v){var x=X(v);g.ticks.appendChild(el("path",{d:"M"+x.toFixed(1)+" "+y+"V"+(y+5),"class":"axis"}));
       var s=timeText(v),h=textWidth(s,12)/2,n=el("text",{x:Math.min(Math.max(x,h),W-h).toFixed(1),y:y+18,"class":"mid"});n.textContent=s;g.ticks.appendChild(n)});
      g.unit.textContent="time since the recording began ("+(b-a>3600?"h:min:s":b-a>120?"min:s":"s")+")"})}
     function show(l,r){var w=Math.min(Math.max(r-l,.2),T1-T0),m=(l+r)/2;l=Math.min(Math.max(m-w/2,T0),T1-w);a=l;b=l+w;if(!pending){pending=true;requestAnimationFrame(draw)}}
     function zoom(f,at){if(at===undefined)at=(a+b)/2;show(at-(at-a)*f,at+(b-at)*f)}
     function timeAt(g,clientX){var r=g.svg.getBoundingClientRect(),x=(clientX-r.left)*g.svg.viewBox.baseVal.width/r.width;return a+(x-g.x0)/(g.x1-g.x0)*(b-a)}
     root.classList.add("live");
     root.querySelectorAll("button").forEach(function(n){n.addEventListener("click",function(){var w=b-a;
      switch(n.dataset.do){case"in":zoom(.5);break;case"out":zoom(2);break;case"left":show(a-w/2,b-w/2);break;case"right":show(a+w/2,b+w/2);break;default:show(T0,T1)}})});
     parts.forEach(function(g){var pointers={},last=null;
      g.svg.classList.add("plot");g.svg.setAttribute("tabindex","0");
      g.svg.addEventListener("wheel",function(e){if(!e.ctrlKey&&!e.shiftKey)return;e.preventDefault();var d=e.deltaY||e.deltaX;zoom(Math.exp(Math.max(-200,Math.min(200,d))*.004),timeAt(g,e.clientX))},{passive:false});
      g.svg.addEventListener("dblclick",function(e){zoom(.4,timeAt(g,e.clientX))});
      g.svg.addEventListener("pointerdown",function(e){if(e.button)return;g.svg.setPointerCapture(e.pointerId);pointers[e.pointerId]=e.clientX;last=null});
      function up(e){delete pointers[e.pointerId];last=null}
      g.svg.addEventListener("pointerup",up);g.svg.addEventListener("pointercancel",up);
      g.svg.addEventListener("pointermove",function(e){if(pointers[e.pointerId]===undefined)return;
       var before=pointers[e.pointerId];pointers[e.pointerId]=e.clientX;var ids=Object.keys(pointers);
       if(ids.length===1){var d=timeAt(g,before)-timeAt(g,e.clientX);show(a+d,b+d)}
       else{var p=pointers[ids[0]],q=pointers[ids[1]],gap=Math.abs(p-q),mid=(p+q)/2;if(last&&gap>5)zoom(last/gap,timeAt(g,mid));last=gap}});
      g.svg.addEventListener("keydown",function(e){var w=b-a;switch(e.key){case"+":case"=":zoom(.5);break;case"-":zoom(2);break;
       case"ArrowLeft":show(a-w/4,b-w/4);break;case"ArrowRight":show(a+w/4,b+w/4);break;case"0":case"Home":show(T0,T1);break;default:return}e.preventDefault()})});
     window.addEventListener("resize",function(){show(a,b)});
    }
    document.querySelectorAll("[data-figure]").forEach(function(root){setUp(root,figures[+root.dataset.figure])});
    })();
    """#
}
